#include "scratchpage/actors/policies/statement_stems.hpp"

#include <algorithm>

#include "scratchpage/actors/language/words.hpp"

namespace scratchpage {

namespace {

constexpr size_t character_bytes = 3; // bytes of one of a script without spaces
constexpr std::string_view literal_sign = "\xE2\x80\xA6";

bool is_of_pairs(std::string_view word) {
  auto lead = word.empty() ? 0 : static_cast<unsigned char>(word[0]);
  return lead >= 0xE3 && lead <= 0xE9;
}

void add_pairs(std::string_view word, std::set<std::string>& to) {
  for (size_t i = 0; i + 2 * character_bytes <= word.size(); i += character_bytes)
    to.emplace(word.substr(i, 2 * character_bytes));
}

const content_words& stem_content() {
  static const content_words result{
    {"the", "a", "an", "user", "user's", "is", "are", "was", "to", "of", "in", "at", "on", "and",
      "or", "for", "with", "it", "it's", "i", "i'm", "i've", "my", "me", "we", "our", "us", "they",
      "their", "them", "you", "your", "please", "now", "not", "no", "never", "always", "only",
      "any", "more", "longer", "anymore", "again", "from", "want", "wants", "like", "likes",
      "prefer", "prefers", "have", "has", "do", "does", "don't", "doesn't", "can", "can't",
      "cannot", "usual", "as", "all", "this", "that", "be", "every", "actually", "said", "der",
      "die", "das", "den", "dem", "nutzer", "nutzerin", "usuaria", "l'utilisatrice", "ich", "wir",
      "mein", "meine", "nicht", "mehr", "kein", "keine", "jetzt", "und", "ist", "hat", "mit", "für",
      "im", "bitte", "nur", "noch", "immer", "wieder", "wie", "möchte", "el", "la", "los", "las",
      "usuario", "del", "es", "un", "una", "en", "y", "de", "que", "con", "por", "mi", "mis", "su",
      "se", "me", "no", "ya", "ahora", "solo", "siempre", "tiene", "tengo", "quiere", "le", "les",
      "l'utilisateur", "du", "des", "un", "une", "et", "je", "j'ai", "ne", "pas", "plus", "mon",
      "ma", "mes", "est", "dans", "à", "toujours", "veut", "préfère", "maintenant"},
    2};
  return result;
}

bool is_literal(std::string_view word) {
  return word.find_first_of("0123456789/\\@\"'`<>{}=") != std::string_view::npos;
}

} // namespace

std::set<std::string> statement_stems(std::string_view text) {
  std::vector<std::string> spaced;
  std::set<std::string> result;
  for (const auto& word : words_of(text))
    if (is_of_pairs(word))
      add_pairs(word, result);
    else
      spaced.push_back(word);
  auto stems = stem_content().in_order(spaced);
  result.insert(stems.begin(), stems.end());
  for (auto part : {"用户", "利用", "用者", "者は", "です", "ます", "我们", "现在"})
    result.erase(part);
  return result;
}

std::vector<std::string> stems_in_order(std::string_view text) {
  std::vector<std::string> spaced;
  std::vector<std::string> result;
  for (const auto& word : words_of(text))
    if (is_of_pairs(word)) {
      std::set<std::string> pairs;
      add_pairs(word, pairs);
      result.insert(result.end(), pairs.begin(), pairs.end());
    } else {
      spaced.push_back(word);
    }
  auto stems = stem_content().in_order(spaced);
  result.insert(result.end(), stems.begin(), stems.end());
  return result;
}

size_t shared_stems(const std::set<std::string>& a, const std::set<std::string>& b) {
  return static_cast<size_t>(
    std::count_if(a.begin(), a.end(), [&](const std::string& one) { return b.contains(one); }));
}

std::string without_literals(std::string_view text) {
  std::string result;
  auto was_left_out = false;
  while (!text.empty()) {
    auto end = std::min(text.find(' '), text.size());
    auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty() || (is_literal(word) && was_left_out))
      continue;
    was_left_out = is_literal(word);
    result.append(result.empty() ? "" : " ").append(was_left_out ? literal_sign : word);
  }
  return result;
}

} // namespace scratchpage
