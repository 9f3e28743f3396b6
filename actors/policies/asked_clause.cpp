#include "scratchpage/actors/policies/asked_clause.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

namespace scratchpage {

namespace {

const policies::known_words& english_question_words() {
  static const policies::known_words list{"what", "which", "who", "whom", "whose", "where", "when",
    "why", "how", "can", "could", "do", "does", "did", "is", "are", "am", "was", "were", "will",
    "would", "should", "shall", "may", "might", "isn't", "aren't", "don't", "doesn't", "won't",
    "can't", "what's", "where's", "who's", "how's", "any", "got", "has", "have", "must", "what'd"};
  return list;
}

const policies::known_words& german_question_words() {
  static const policies::known_words list{"was", "welche", "welcher", "welches", "welchen",
    "welchem", "wer", "wen", "wem", "wo", "wohin", "woher", "wann", "warum", "wieso", "wie",
    "wieviel", "wofür", "womit", "worauf", "wozu", "gibt", "kann", "kannst", "können", "könnt",
    "könntest", "könnten", "hast", "haben", "habt", "ist", "sind", "darf", "dürfen", "soll",
    "sollte", "sollen", "muss", "müssen", "geht", "gehen", "passt", "passen", "brauche", "brauchst",
    "brauchen", "weißt", "wissen", "hätte", "hättest", "hätten", "würde", "würdest", "wird",
    "werden", "lohnt", "reicht", "bekomme", "kriege", "funktioniert", "habe", "hilft", "macht",
    "kennst", "kennt", "kennen", "finde", "findest", "empfiehlst", "empfehlen", "muß", "ob",
    "stimmt", "fährt", "lässt", "bei", "für", "ab", "bis", "mit"};
  return list;
}

const policies::known_words& spanish_question_words() {
  static const policies::known_words list{"qué", "cuál", "cuáles", "cómo", "cuándo", "dónde",
    "quién", "quiénes", "cuánto", "cuánta", "cuántos", "cuántas", "puedo", "puedes", "puede",
    "podría", "podrías", "hay", "tienes", "tiene", "debo", "debería", "es", "me", "conoces",
    "sabes", "necesito", "por"};
  return list;
}

const policies::known_words& french_question_words() {
  static const policies::known_words list{"que", "quel", "quelle", "quels", "quelles", "quoi",
    "qui", "où", "quand", "comment", "pourquoi", "combien", "est-ce", "qu'est-ce", "c'est", "tu",
    "vous", "lequel", "laquelle", "lesquels", "lesquelles", "ça", "existe-t-il"};
  return list;
}

/// "puis-je", "avez-vous", "y a-t-il"
bool is_inverted_in_french(std::string_view word) {
  return std::ranges::any_of(std::array<std::string_view, 9>{"-je", "-tu", "-vous", "-il", "-elle",
                               "-on", "-ils", "-nous", "-ce"},
    [&](std::string_view ending) { return word.ends_with(ending); });
}

bool opens_question(const policies::texts& words, size_t at, spoken_language in) {
  const auto& word = words[at];
  switch (in) {
  case spoken_language::english:
    return english_question_words().contains(word);
  case spoken_language::german:
    return german_question_words().contains(word);
  case spoken_language::spanish:
    return word.starts_with("¿") || spanish_question_words().contains(word);
  case spoken_language::french:
    return french_question_words().contains(word) || is_inverted_in_french(word)
           || (at + 1 < words.size() && is_inverted_in_french(words[at + 1]));
  default:
    return false;
  }
}

/// Whether what follows a comma asks, behind the words that lead to it: "so where can I …".
bool asks(std::string_view text, spoken_language in) {
  static const policies::known_words leading{"so", "and", "but", "then", "also", "well", "und",
    "aber", "also", "dann", "y", "entonces", "pero", "et", "mais", "donc", "alors", "please",
    "bitte", "too", "for", "in", "at", "on", "from", "mit", "für", "in", "auf", "de", "à", "avec",
    "pour", "en", "con", "a", "para", "seems", "da", "nun", "denn"};
  auto words = policies::lower_of(policies::tokens_of(text));
  constexpr size_t most_leading = 3;
  for (size_t i = 0; i < words.size() && i < most_leading; ++i) {
    if (opens_question(words, i, in))
      return true;
    if (!leading.contains(words[i]))
      return false;
  }
  return false;
}

/// The part of a question in a script with spaces that comes before what asks.
std::string_view before_asking(std::string_view sentence, spoken_language in) {
  constexpr std::array<std::string_view, 13> ends{", ", "; ", " - ", " – ", " — ", ": ", " so ",
    " and ", " but ", " und ", " aber ", " y ", " et "};
  for (size_t i = 1; i < sentence.size(); ++i)
    for (auto one : ends)
      if (is_at(sentence, i, one) && asks(sentence.substr(i + one.size()), in))
        return sentence.substr(0, i);
  if (auto mark = sentence.find("¿"); mark != std::string_view::npos && mark > 2)
    return sentence.substr(0, mark);
  return {};
}

bool has_one(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(
    parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool asks_in_chinese(std::string_view text) {
  return has_one(text, {"吗", "什么", "哪", "怎么", "几", "多少", "谁", "为何", "呢", "是不是",
                         "能不能", "可不可以", "有没有", "如何"});
}

bool asks_in_japanese(std::string_view text) {
  return has_one(text, {"何", "どこ", "いつ", "誰", "なぜ", "どう", "いくら", "どの", "どれ",
                         "ですか", "ますか", "でしょうか", "教えて"})
         || text.ends_with("なら") || text.ends_with("たら") || text.ends_with("は")
         || text.ends_with("と") || text.ends_with("れば");
}

/// The clauses of a sentence without spaces up to the first that asks.
std::string_view before_asking_unspaced(std::string_view sentence, spoken_language in) {
  constexpr std::array<std::string_view, 3> ends{"，", "、", "；"};
  size_t told = 0;
  for (size_t from = 0; from < sentence.size();) {
    auto end = std::string_view::npos;
    for (auto one : ends)
      end = std::min(end, sentence.find(one, from));
    auto part = sentence.substr(from, end == std::string_view::npos ? end : end - from);
    auto is_asked = in == spoken_language::chinese ? asks_in_chinese(part) : asks_in_japanese(part);
    if (is_asked || end == std::string_view::npos)
      break;
    told = end;
    from = end + ends[0].size();
  }
  return sentence.substr(0, told);
}

} // namespace

std::string_view stated_before_question(std::string_view sentence, spoken_language in) {
  if (in == spoken_language::chinese || in == spoken_language::japanese)
    return before_asking_unspaced(sentence, in);
  return asks(sentence, in) ? std::string_view{} : before_asking(sentence, in);
}

std::string_view demanded_by_question(std::string_view sentence) {
  static const policies::known_words openings{"can", "could", "would", "will"};
  static const policies::known_words general{"always", "never", "from", "only", "stop"};
  auto next_word = [&](size_t from) {
    return policies::plain(sentence.substr(from, sentence.find_first_of(" ?", from) - from));
  };
  if (!openings.contains(next_word(0)))
    return {};
  auto at = sentence.find(' ') + 1;
  if (at == 0 || next_word(at) != "you")
    return {};
  for (auto skipped = 0; skipped < 2; ++skipped) {
    at = sentence.find(' ', at) + 1;
    if (at == 0)
      return {};
    if (next_word(at) != "please")
      break;
  }
  return general.contains(next_word(at)) ? sentence.substr(at) : std::string_view{};
}

} // namespace scratchpage
