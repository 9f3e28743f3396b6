#include "scratchpage/actors/policies/spoken_language.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "scratchpage/actors/language/recent_readings.hpp"
#include "scratchpage/actors/language/words.hpp"

namespace scratchpage {

namespace {

/// Whether the text has a letter that German, Spanish or French alone has.
bool has_letter_of(std::string_view text, size_t language) {
  static const std::array<std::vector<std::string_view>, 3> letters{
    std::vector<std::string_view>{"ä", "ö", "ü", "ß"},
    std::vector<std::string_view>{"ñ", "í", "ó", "ú", "á", "¿", "¡"},
    std::vector<std::string_view>{"è", "ê", "ç", "à", "œ", "î", "û", "ô"}};
  return std::any_of(letters[language].begin(), letters[language].end(),
    [&](std::string_view letter) { return text.find(letter) != std::string_view::npos; });
}

spoken_language find_language(std::string_view text) {
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
    phrase_list{{"ich", "wir", "mein", "meine", "den", "dem", "des", "es", "wird", "sind", "hat",
      "haben", "früher", "keinen", "um", "vom", "zur", "zum", "als", "oder", "aber", "wenn", "dass",
      "ab", "vor", "nicht", "der", "die", "das", "und", "kein*", "bitte", "ist", "immer", "auf",
      "mit", "für", "im", "nie", "unser*", "jetzt", "ein", "eine", "nur", "habe", "bin", "uns",
      "von", "bei", "am", "nach", "zu", "mich", "mir", "sich"}},
    phrase_list{{"yo", "de", "hemos", "nos", "desde", "hasta", "cuando", "está", "nuestro",
      "nuestra", "se", "un", "le", "lo", "mis", "tiene", "hoy", "mañana", "tomo", "gusta",
      "usuario", "hay", "cada", "todos", "jamás", "el", "los", "las", "mi", "mis", "soy", "tengo",
      "siempre", "nunca", "en", "por", "con", "que", "es", "ahora", "antes", "del", "vivo",
      "trabajo", "prefiero", "mejor", "me", "he", "muy", "bien", "una", "al", "su", "ya", "llamo",
      "nada", "sin", "para", "pero", "como", "la", "bebo", "fumo", "solo", "padezco", "sufro",
      "estoy", "hablo", "no", "uso", "puedo", "quiero", "voy", "hago", "nosotros", "tampoco",
      "también", "llevo"}},
    phrase_list{{"je", "de", "ce", "que", "se", "sont", "nos", "notre", "cette", "il", "elle",
      "ont", "te", "sommes", "avons", "chaque", "après", "avant", "quand", "le", "les", "mon", "ma",
      "mes", "ne", "pas", "suis", "toujours", "jamais", "est", "une", "dans", "côté", "vous", "moi",
      "et", "un", "du", "des", "au", "chez", "nous", "ai", "qui", "pour", "sans", "plus", "sur",
      "avec", "la", "en"}}};
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
    count += has_letter_of(text, n) ? 1 : 0;
    if (count > most) {
      most = count;
      best = static_cast<spoken_language>(n + 1);
    }
  }
  static const phrase_list english_words{
    {"i", "i'm", "the", "my", "we", "is", "user", "and", "not", "to", "of", "at", "you", "for",
      "with", "it", "this", "that", "please", "don't", "always", "never", "from", "are", "have",
      "your", "our", "when", "only", "call", "they", "put", "she", "before", "after", "has", "now",
      "be", "by", "on", "me", "no", "or", "was", "can", "will", "so", "us", "out", "off", "up",
      "its", "all", "if", "like", "but", "what", "who", "any", "more", "every", "than"}};
  size_t own = 0;
  for (size_t i = 0; i < words.size(); ++i)
    own += english_words.length_at(words, i) > 0 ? 1 : 0;
  return own >= most ? spoken_language::english : best;
}

} // namespace

spoken_language language_of(std::string_view text) {
  thread_local recent_readings<spoken_language> known;
  return known.of(text, find_language);
}

} // namespace scratchpage
