#include "scratchpage/actors/policies/spoken_language.hpp"

#include <array>
#include <cstddef>

#include "scratchpage/actors/language/words.hpp"

namespace scratchpage {

spoken_language language_of(std::string_view text) {
  auto has_chinese = false;
  for (size_t i = 0; i + 2 < text.size(); ++i) {
    auto lead = static_cast<unsigned char>(text[i]);
    auto next = static_cast<unsigned char>(text[i + 1]);
    if (lead == 0xE3 && (next == 0x81 || next == 0x82 || next == 0x83))
      return spoken_language::japanese;
    has_chinese = has_chinese || (lead >= 0xE4 && lead <= 0xE9);
  }
  if (has_chinese)
    return spoken_language::chinese;
  static const std::array<phrase_list, 3> small_words{
    phrase_list{{"ich", "wir", "mein", "meine", "nicht", "der", "die", "das", "und", "kein*",
      "bitte", "ist", "immer", "auf", "mit", "für", "im", "nie", "unser*", "jetzt"}},
    phrase_list{{"yo", "el", "los", "las", "mi", "mis", "soy", "tengo", "siempre", "nunca", "en",
      "por", "con", "que", "es", "ahora", "antes", "del", "vivo", "trabajo", "prefiero", "mejor"}},
    phrase_list{{"je", "le", "les", "mon", "ma", "mes", "ne", "pas", "suis", "toujours", "jamais",
      "est", "une", "dans", "côté", "vous", "moi"}}};
  auto words = words_of(text);
  auto best = spoken_language::english;
  size_t most = 0;
  for (size_t n = 0; n < small_words.size(); ++n) {
    size_t count = 0;
    for (size_t i = 0; i < words.size(); ++i)
      count += small_words[n].length_at(words, i) > 0
                   || (n == 2 && (words[i].starts_with("j'") || words[i].starts_with("l'")))
                 ? 1
                 : 0;
    if (count > most) {
      most = count;
      best = static_cast<spoken_language>(n + 1);
    }
  }
  static const phrase_list english_words{
    {"i", "i'm", "the", "my", "we", "is", "user", "and", "not", "to", "of", "at"}};
  size_t own = 0;
  for (size_t i = 0; i < words.size(); ++i)
    own += english_words.length_at(words, i) > 0 ? 1 : 0;
  return own >= most ? spoken_language::english : best;
}

} // namespace scratchpage
