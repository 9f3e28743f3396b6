#include "scratchpage/actors/policies/clause_reading.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "scratchpage/actors/language/recent_readings.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/european_wording.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

namespace scratchpage {

namespace {

struct text_part {
  std::string_view text;
  size_t next; ///< where the text goes on
};

/// Whether the text ends with an abbreviation that a name follows: "Dr".
bool ends_with_title(std::string_view text) {
  constexpr std::array<std::string_view, 8> titles{
    "Mr", "Ms", "Dr", "Mrs", "St", "Prof", "Sra", "Sr"};
  auto last = text.substr(text.find_last_of(' ') + 1);
  return std::find(titles.begin(), titles.end(), last) != titles.end();
}

/// How much of a separator is left out: of " and I " only " and ", for "I" begins the next part.
size_t left_out_of(std::string_view separator) {
  if (separator[0] != ' ')
    return separator.size();
  return std::min(separator.find(' ', 1), separator.size() - 1) + 1;
}

/// The text up to the first of the separators, which belongs to it if `keeps`.
template <size_t N>
text_part first_part_of(
  std::string_view text, const std::array<std::string_view, N>& separators, bool keeps) {
  std::array<bool, 256> begins{}; // a separator, by its first byte
  for (auto one : separators)
    begins[static_cast<unsigned char>(one[0])] = true;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!begins[static_cast<unsigned char>(text[i])])
      continue;
    auto next = i + 1 < text.size() ? text[i + 1] : '\0'; // most separators begin with a space
    for (auto one : separators)
      if ((one.size() == 1 || one[1] == next) && is_at(text, i, one)) {
        auto is_within = one == "." && i + 1 < text.size() && text[i + 1] != ' ';
        auto after = text.substr(0, i);
        auto is_name = one == "." && ends_with_title(after);
        if (!is_within && !is_name)
          return {text.substr(0, keeps ? i + one.size() : i), i + left_out_of(one)};
      }
  }
  return {text, text.size()};
}

template <size_t N>
std::vector<std::string_view> clause_parts_of(
  std::string_view text, const std::array<std::string_view, N>& separators, bool keeps) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    auto one = first_part_of(text, separators, keeps);
    auto from = one.text.find_first_not_of(" \t\r\n");
    if (from != std::string_view::npos)
      result.push_back(one.text.substr(from));
    text.remove_prefix(one.next);
  }
  return result;
}

policies::texts plain_words(std::string_view text) {
  thread_local recent_readings<policies::texts> known;
  return known.of(
    text, [](std::string_view x) { return policies::lower_of(policies::tokens_of(x)); });
}

const policies::known_words& clause_subjects(spoken_language in) {
  static const policies::known_words english{"i", "i'm", "i've", "i'd", "i'll", "im", "we", "we're",
    "we've", "we'll", "my", "our", "he", "she", "they", "it", "it's", "nobody", "everyone",
    "everybody", "you", "they're", "she's", "he's"};
  static const policies::known_words german{"ich", "wir", "mein", "meine", "unser", "unsere", "er",
    "sie", "es", "meinem", "meiner", "mir", "uns"};
  static const policies::known_words french{"je", "j'ai", "j'habite", "j'aime", "nous", "mon", "ma",
    "mes", "il", "elle", "ils", "on", "notre", "nos", "c'est", "j'utilise", "j'apprends",
    "j'étudie", "j'écris"};
  static const policies::known_words none{};
  return in == spoken_language::english  ? english
         : in == spoken_language::german ? german
         : in == spoken_language::french ? french
                                         : none;
}

const policies::known_words& clause_openings() {
  static const policies::known_words list{"please", "don't", "never", "always", "use", "only",
    "write", "call", "tell", "send", "give", "put", "keep", "make", "let", "avoid", "so", "because",
    "since", "from", "these", "now", "but", "quit", "stopped", "gave", "no", "that", "that's",
    "there's", "this", "address", "answer", "book", "contact", "email", "text", "short", "leave",
    "nothing", "read", "speak", "turn", "start", "stop", "include", "sold", "moved", "switched",
    "dropped", "bought", "bitte", "nie", "keine", "kein", "jetzt", "also", "deshalb", "denn",
    "weil", "antworte", "ab", "inzwischen", "maintenant", "jamais", "toujours", "ne", "donc", "car",
    "pas", "désormais", "can't", "cannot", "hate", "bin", "hab"};
  return list;
}

/// "Rex died last winter": a subject of one to three words and a verb that has no other meaning.
bool has_verb(const policies::texts& words) {
  static const policies::known_words verbs{"is", "are", "was", "has", "died", "retired", "isn't",
    "aren't", "doesn't", "don't", "can't", "cannot", "works", "lives", "gets", "goes", "runs",
    "comes", "takes", "eats", "hates", "loves", "likes", "prefers", "belongs", "speaks", "suffers",
    "closes", "opens", "starts", "needs", "sleeps", "plays"};
  static const policies::known_words no_subjects{"which", "who", "that", "what", "how", "where",
    "when", "if", "as", "not", "and", "or", "for", "in", "on", "at", "to", "of", "with"};
  auto last = std::min<size_t>(4, words.size());
  static const policies::known_words deeds{
    "left", "quit", "died", "retired", "resigned", "closed", "moved", "stopped"};
  if (words.size() == 2 && deeds.contains(words[1]))
    return true;
  for (size_t i = 1; i < last && !no_subjects.contains(words[i - 1]); ++i)
    if (verbs.contains(words[i]))
      return i + 1 < words.size() || words[i].ends_with("ed");
  return false;
}

/// Whether the part is in the form of `divide_role`, which is a clause of its own.
bool tells_role(std::string_view text) {
  auto words = plain_words(text);
  static const policies::known_words anybody{"a", "an", "someone", "somebody"};
  return words.size() > 1
         && (words[0] == "being"
             || (words.size() > 2 && words[0] == "as" && anybody.contains(words[1])));
}

/// Whether a part of a sentence can be a clause of its own.
bool is_clause(std::string_view text, spoken_language in) {
  auto words = plain_words(text);
  if (words.size() < 2)
    return false;
  static const policies::known_words dependent{
    "when", "whenever", "whatever", "wherever", "if", "while", "until", "unless", "although"};
  if (dependent.contains(words[0]))
    return false;
  if (in == spoken_language::english && (has_verb(words) || tells_role(text)))
    return true;
  if (in == spoken_language::spanish) {
    static const policies::known_words known{
      "ahora", "antes", "mi", "mis", "nunca", "siempre", "no", "pero", "porque", "solo", "ya"};
    return known.contains(words[0])
           || std::any_of(words.begin(),
             words.begin() + static_cast<ptrdiff_t>(std::min<size_t>(3, words.size())),
             [](const std::string& word) { return spanish_verb(word) != word; });
  }
  static const policies::known_words politeness{"please", "bitte", "merci"};
  if (words.size() > 3 && words[words.size() - 2] == "now" && words.back() == "on")
    return true;
  if (clause_openings().contains(words[0])
      || (words.size() > 2 && politeness.contains(words.back())))
    return true;
  auto first = words.begin();
  auto last = words.begin() + static_cast<ptrdiff_t>(std::min<size_t>(4, words.size()));
  return std::any_of(
           first, last, [&](const std::string& word) { return clause_subjects(in).contains(word); })
         || (in == spoken_language::french
             && (words[0].ends_with("-moi")
                 || std::any_of(
                   first, last, [](const std::string& word) { return word.starts_with("j'"); })));
}

/// What only denies the opposite: "tabs, not spaces".
bool is_denial(std::string_view text, spoken_language in) {
  auto words = plain_words(text);
  static const policies::known_words denials{"not", "nicht", "non"};
  return !words.empty() && denials.contains(words[0])
         && !std::any_of(words.begin(), words.end(),
           [&](const std::string& word) { return clause_subjects(in).contains(word); });
}

/// What limits the choice before it: "pnpm everywhere, never npm", "by quarter, never by month".
bool limits_choice(std::string_view text) {
  static const policies::known_words prepositions{
    "by", "in", "on", "with", "at", "for", "to", "from", "through", "via", "as"};
  auto words = plain_words(text);
  return words.size() > 1 && words.size() < 4 && words[0] == "never"
         && (words.size() == 2 || prepositions.contains(words[1]));
}

/// "Aisle seat please, I've got a bad knee": what comes before the speaker is asked for.
bool follows_demand(std::string_view text, std::string_view before) {
  static const policies::known_words courtesies{"please", "pls", "plz"};
  static const policies::known_words speakers{"i", "i'm", "i've", "we", "we're", "we've"};
  auto words = plain_words(text);
  return !words.empty() && speakers.contains(words[0])
         && policies::has_word(plain_words(before), courtesies);
}

/// "so don't ring then": what comes before it is a clause as well.
bool draws_conclusion(std::string_view text) {
  static const policies::known_words openings{"so", "because", "therefore", "deshalb", "also"};
  auto words = plain_words(text);
  return words.size() > 2 && openings.contains(words[0]);
}

/// The text from the beginning of one part to the end of another one of the same text.
std::string_view spanned(std::string_view from, std::string_view to) {
  return {from.data(), static_cast<size_t>(to.data() + to.size() - from.data())};
}

/// "As a nurse I can't …" is two clauses: what comes first tells in which role.
void divide_role(std::vector<std::string_view>& parts) {
  static const policies::known_words anybody{"a", "an", "someone", "somebody"};
  auto first = parts[0];
  auto words = plain_words(first.substr(0, first.find(' ', 4)));
  if (words.size() < 2 || words[0] != "as" || !anybody.contains(words[1]))
    return;
  for (std::string_view me : {" I ", " I'm ", " I've ", " I'd ", " we ", " my "})
    if (auto at = first.find(me); at != std::string_view::npos) {
      parts[0] = first.substr(0, at);
      parts.insert(parts.begin() + 1, first.substr(at + 1));
      return;
    }
}

bool is_spaced(spoken_language in) {
  return in != spoken_language::chinese && in != spoken_language::japanese;
}

} // namespace

std::vector<std::string_view> sentences_in(std::string_view text) {
  constexpr std::array<std::string_view, 8> ends{".", "!", "?", "\n", "。", "！", "？", "…"};
  return clause_parts_of(text, ends, true);
}

std::vector<std::string_view> clauses_in(std::string_view sentence, spoken_language in) {
  constexpr std::array<std::string_view, 46> ends{"ので、", "んで、", "ため、", "だから、", ", ",
    "; ", " - ", " – ", " — ", ": ", "，", "；", "、今", "が、", " but ", " so ", " and I ",
    " and I'm ", " and I've ", " and we ", " and my ", " and our ", " because I", " because my ",
    " because we", " since I'm ", " since I am ", " as I'm ", " as I am ", " aber ", " pero ",
    " porque ", " mais ", " y mi ", " y me ", " und ich ", " und wir ", " und mein", " et je ",
    " et j'", " et nous ", " et mon ", " et ma ", " parce que j", " car j", ". "};
  auto parts = clause_parts_of(sentence, ends, false);
  if (in == spoken_language::english && !parts.empty())
    divide_role(parts);
  std::vector<std::string_view> result;
  auto is_whole = false; // the last one of the result is a clause
  for (auto one : parts) {
    auto whole = !is_spaced(in) || is_clause(one, in);
    auto is_short = !result.empty() && plain_words(result.back()).size() < 3;
    if (!result.empty() && !is_short && is_denial(one, in))
      continue;
    auto begins = result.empty()
                  || (whole && !limits_choice(one)
                      && (is_whole || draws_conclusion(one) || follows_demand(one, result.back())));
    if (begins)
      result.push_back(one);
    else
      result.back() = spanned(result.back(), one);
    is_whole = is_whole || whole;
  }
  return result;
}

bool follows_on(std::string_view clause) {
  static const policies::known_words list{"so", "because", "since", "therefore", "that's", "he",
    "she", "it", "they", "and", "he's", "she's", "also", "deshalb", "denn", "weil", "er", "sie",
    "es", "donc", "car", "parce", "il", "elle", "porque", "así", "darum"};
  auto words = plain_words(clause);
  return !words.empty() && list.contains(words[0]);
}

} // namespace scratchpage
