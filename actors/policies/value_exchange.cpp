#include "scratchpage/actors/policies/value_exchange.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <utility>
#include <vector>

#include "scratchpage/actors/policies/statement_frames.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

namespace scratchpage {

namespace {

constexpr size_t longest_exchanged = 4; // words of a value

bool tells_exchange(const policies::texts& lower) {
  static const policies::known_words verbs{"switched", "migrated", "moved", "changed", "switching",
    "migrating", "moving", "transitioned", "converted", "upgraded", "downgraded", "went", "gone",
    "ported", "rescheduled", "shifted", "postponed", "pushed", "renamed", "raised", "lowered",
    "increased", "reduced", "cut", "switch", "move", "change", "migrate", "gewechselt",
    "umgestiegen", "gezogen", "umgezogen", "umgestellt", "verlegt", "gewandert", "migriert",
    "cambié", "cambiamos", "cambiado", "pasamos", "pasado", "pasé", "migramos", "migrado", "mudé",
    "mudamos", "mudado", "passé", "passés", "passées", "migré", "déménagé", "changé", "basculé"};
  return policies::has_word(lower, verbs);
}

std::string words_between(const policies::texts& words, size_t from, size_t to) {
  static const policies::known_words articles{
    "the", "a", "an", "our", "my", "der", "die", "das", "dem", "den", "el", "la", "le"};
  while (from < to && articles.contains(policies::plain(words[from])))
    ++from;
  std::string result;
  for (auto i = from; i < to && i < words.size(); ++i)
    result.append(result.empty() ? "" : " ").append(words[i]);
  while (result.ends_with(','))
    result.pop_back();
  return result;
}

/// Where the value that begins at `from` ends.
size_t end_of_value(const policies::texts& words, size_t from) {
  static const policies::known_words ends{"last", "this", "in", "at", "on", "since", "because",
    "and", "for", "when", "after", "now", "recently", "months", "weeks", "years", "today", "so",
    "but", "as", "umgestiegen", "gewechselt", "gezogen", "umgezogen", "umgestellt", "verlegt",
    "migriert", "el", "hace", "depuis", "seit", "letzten", "letztes", "desde", "il", "y", "et",
    "und", "with", "which", "per", "weil", "porque", "earlier", "next", "due"};
  auto i = from;
  while (i < words.size() && i < from + longest_exchanged) {
    if (i > from && ends.contains(policies::plain(words[i])))
      break;
    ++i;
    if (words[i - 1].ends_with(','))
      break;
  }
  return i;
}

size_t position_from(const policies::texts& lower, size_t from, const policies::known_words& list) {
  while (from < lower.size() && !list.contains(lower[from]))
    ++from;
  return from;
}

/// As above, for a few words.
size_t position_from(
  const policies::texts& lower, size_t from, std::initializer_list<std::string_view> list) {
  while (from < lower.size() && std::find(list.begin(), list.end(), lower[from]) == list.end())
    ++from;
  return from;
}

/// "from A to B"
value_exchange from_one_to_another(const policies::texts& words, const policies::texts& lower) {
  static const policies::known_words origins{"from", "von", "vom", "de", "du", "del"};
  static const policies::known_words targets{
    "to", "auf", "nach", "zu", "zum", "a", "à", "au", "al"};
  for (auto from = position_from(lower, 0, origins); from < lower.size();
       from = position_from(lower, from + 1, origins)) {
    auto to = position_from(lower, from + 1, targets);
    if (to >= from + 2 && to <= from + 1 + longest_exchanged && to + 1 < lower.size())
      return {words_between(words, from + 1, to),
        words_between(words, to + 1, end_of_value(words, to + 1))};
  }
  return {};
}

/// "A is replaced by B", "we replaced A with B"
value_exchange put_in_place(const policies::texts& words, const policies::texts& lower) {
  auto verb = position_from(lower, 0,
    {"replaced", "replace", "swapped", "ersetzt", "left", "dropped", "ditched", "traded"});
  auto by = position_from(lower, verb, {"with", "by", "for", "durch"});
  if (by + 1 >= lower.size())
    return {};
  auto after = words_between(words, by + 1, end_of_value(words, by + 1));
  if (by == verb + 1) { // "A has been replaced by B"
    auto end = position_from(lower, 0, {"has", "was", "is", "have", "were", "been"});
    return {words_between(words, 0, std::min(end, verb)), after};
  }
  return {words_between(words, verb + 1, by), after};
}

/// "not cats, it's dust", "not on Monday but on Tuesday"
value_exchange not_one_but_another(const policies::texts& words, const policies::texts& lower) {
  auto sign = position_from(lower, 0, {"not", "isn't"});
  static const policies::known_words turns{"it's", "but", "rather", "that's", "they're"};
  auto turn = position_from(lower, sign + 1, turns);
  if (turn + 1 >= lower.size() || turn > sign + 4
      || (lower[turn] != "but" && !words[turn - 1].ends_with(',')))
    return {};
  return {words_between(words, sign + 1, turn),
    words_between(words, turn + 1, end_of_value(words, turn + 1))};
}

/// "Hull was years ago, it's York now", "MySQL is history, we're on Postgres"
value_exchange past_and_present(const policies::texts& words, const policies::texts& lower) {
  static const policies::known_words ends{
    "history", "over", "gone", "years", "ages", "long", "past"};
  auto is = position_from(lower, 1, {"is", "was"});
  if (is + 1 >= lower.size() || is > longest_exchanged || !ends.contains(lower[is + 1]))
    return {};
  auto turn = position_from(lower, is + 2, {"it's", "on", "in", "with", "use", "now"});
  if (turn + 1 >= lower.size())
    return {};
  return {
    words_between(words, 0, is), words_between(words, turn + 1, end_of_value(words, turn + 1))};
}

/// "the 14th, not the 15th", "Jon instead of John"
value_exchange one_not_another(const policies::texts& words, const policies::texts& lower) {
  auto sign = position_from(lower, 1, {"not", "instead"});
  if (sign + 1 >= lower.size())
    return {};
  auto is_of = lower[sign] == "instead";
  if ((is_of && lower[sign + 1] != "of") || (!is_of && !words[sign - 1].ends_with(',')))
    return {};
  auto before = words_between(words, sign + (is_of ? 2 : 1), words.size());
  static const policies::known_words fillers{"now", "already", "currently", "today"};
  auto end = sign > 1 && fillers.contains(lower[sign - 1]) ? sign - 1 : sign;
  auto after = words_between(words, end - 1, end);
  auto is_word = before.find(' ') == std::string::npos && before.size() > 1 && !after.empty();
  return is_word ? value_exchange{before, after} : value_exchange{};
}

/// "Gave up on Portuguese. Welsh it is"
value_exchange this_it_is(const policies::texts& words, const policies::texts& lower) {
  static const policies::known_words leads{"on", "with", "dropped", "quit", "ditched", "than"};
  auto last = words.size();
  if (last < 5 || lower[last - 1] != "is" || lower[last - 2] != "it")
    return {};
  auto lead = position_from(lower, 0, leads);
  if (lead + 4 >= last)
    return {};
  return {words_between(words, lead + 1, std::min(lead + 2, last - 3)),
    words_between(words, last - 3, last - 2)};
}

/// Days of the week and times of day, of which two of one kind exclude each other. "" if the word
/// is of no such kind.
std::string_view kind_of_value(std::string_view word) {
  static const policies::known_words days{"monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays",
    "sundays", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag",
    "montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags", "sonntags", "lunes",
    "martes", "miércoles", "jueves", "viernes", "sábado", "sábados", "domingo", "domingos", "lundi",
    "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"};
  static const policies::known_words numbers{"one", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten", "eleven", "twelve", "zwei", "drei", "vier", "fünf", "sechs", "sieben",
    "acht", "neun", "zehn", "elf", "zwölf", "dos", "tres", "cuatro", "cinco", "seis", "siete",
    "ocho", "nueve", "diez", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf",
    "dix"};
  if (days.contains(word))
    return "day";
  auto is_digits = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
  return is_digits ? "digits" : numbers.contains(word) ? "number" : std::string_view{};
}

/// Whether values of these kinds can stand at one place: "8" and "nine", "Monday" and "Tuesday".
bool are_of_one_kind(std::string_view a, std::string_view b) {
  return !a.empty() && !b.empty() && (a == "day") == (b == "day");
}

/// The one word of this kind in a text that is not one of the others; "" if there are several.
std::string only_value(
  const policies::texts& words, std::string_view kind, const policies::texts& others) {
  std::string result;
  for (const auto& word : words) {
    auto lower = policies::plain(word);
    if (kind_of_value(lower) != kind || lower == "one" || policies::has_word(others, lower))
      continue;
    if (!result.empty() && policies::plain(result) != lower)
      return {};
    result = words_between({word}, 0, 1);
  }
  return result;
}

/// The plain word that stands `offset` words from a value; "" if there is none.
std::string neighbour_of(const policies::texts& words, const std::string& value, int offset) {
  for (size_t i = 0; i < words.size(); ++i) {
    auto at = static_cast<ptrdiff_t>(i) + offset;
    if (words_between({words[i]}, 0, 1) == value)
      return at >= 0 && static_cast<size_t>(at) < words.size()
               ? policies::plain(words[static_cast<size_t>(at)])
               : std::string{};
  }
  return {};
}

/// Whether two numbers count the same or stand behind the same word: "28 pupils" and "30 pupils",
/// "at nine" and "at ten", but not "2 dogs" and "at 9".
bool stand_alike(const policies::texts& known, const std::string& before,
  const policies::texts& words, const std::string& after) {
  static const policies::known_words prepositions{
    "at", "by", "for", "from", "until", "till", "um", "ab", "bis", "a", "à", "las", "sur"};
  auto counted = neighbour_of(known, before, 1);
  auto lead = neighbour_of(known, before, -1);
  return (!counted.empty() && counted == neighbour_of(words, after, 1))
         || (prepositions.contains(lead) && lead == neighbour_of(words, after, -1));
}

/// Names of days in scripts without spaces: "周三", "水曜".
std::vector<std::string_view> unspaced_days(std::string_view text) {
  constexpr size_t letter = 3; // bytes
  constexpr std::string_view chinese = "一二三四五六日天", japanese = "月火水木金土日";
  std::vector<std::string_view> result;
  for (size_t i = 0; i + 2 * letter <= text.size(); ++i) {
    auto first = text.substr(i, letter);
    auto second = text.substr(i + letter, letter);
    auto is_chinese = first == "周" && chinese.find(second) != std::string_view::npos;
    auto is_japanese = second == "曜" && japanese.find(first) != std::string_view::npos;
    if (is_chinese || is_japanese)
      result.push_back(text.substr(i, 2 * letter));
  }
  return result;
}

char lower_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_part_of_word(std::string_view text, size_t i) {
  auto c = i < text.size() ? static_cast<unsigned char>(text[i]) : ' ';
  return std::isalnum(c) != 0 || c >= 0x80;
}

} // namespace

value_exchange exchange_in(std::string_view text) {
  auto words = policies::tokens_of(text);
  auto lower = policies::lower_of(words);
  value_exchange result;
  if (tells_exchange(lower))
    result = from_one_to_another(words, lower);
  if (result.before.empty())
    result = put_in_place(words, lower);
  if (result.before.empty())
    result = not_one_but_another(words, lower);
  if (result.before.empty())
    result = one_not_another(words, lower);
  if (result.before.empty())
    result = past_and_present(words, lower);
  if (result.before.empty())
    result = this_it_is(words, lower);
  return result.before.empty() || result.after.empty() ? value_exchange{} : result;
}

std::string value_put_right(std::string_view text, bool is_right_behind) {
  static const policies::known_words around{"no", "it", "it's", "is", "that's", "that", "now", "on",
    "at", "from", "make", "actually", "sorry", "wait", "correction", "to", "moved", "changed",
    "has", "been", "be", "nein", "jetzt", "es", "ist", "am", "um", "ab", "sofort", "ahora", "los",
    "el", "la", "las", "non", "c'est", "maintenant", "le", "à", "a", "es", "correct", "starts",
    "doch", "inzwischen", "uhr", "des", "désormais", "finalement", "en", "not", "anymore", "these",
    "days", "scrap", "rather", "nah", "nope", "typo", "oops", "please", "meant", "i", "should",
    "perdón", "pardon", "nee", "quise", "decir", "digo", "ich", "meine", "meinte"};
  constexpr size_t longest = 9;
  auto words = policies::tokens_of(text);
  if (words.size() < (is_right_behind ? 1u : 3u) || words.size() > longest)
    return {};
  std::string result;
  for (const auto& word : words) {
    auto lower = policies::plain(word);
    auto is_value =
      !kind_of_value(lower).empty() || (is_right_behind && !kind_of_word(lower).empty());
    if (result.empty() && is_value)
      result = words_between({word}, 0, 1);
    else if (!around.contains(lower))
      return {};
  }
  return result;
}

value_exchange exchange_for(const std::string& value, std::string_view statement) {
  auto lower = policies::plain(value);
  auto kind = kind_of_value(lower);
  auto of_word = kind_of_word(lower);
  value_exchange result;
  for (const auto& word : policies::tokens_of(statement)) {
    auto other = policies::plain(word);
    if (are_of_one_kind(kind, kind_of_value(other))
        || (!of_word.empty() && of_word == kind_of_word(other)))
      result = {words_between({word}, 0, 1), value};
  }
  return result;
}

value_exchange exchange_between(std::string_view text, std::string_view statement, bool only_days) {
  auto words = policies::tokens_of(text);
  auto known = policies::tokens_of(statement);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kinds{{{"day", "day"},
    {"digits", "digits"}, {"number", "number"}, {"digits", "number"}, {"number", "digits"}}};
  for (auto [one, other] : kinds) {
    auto before = only_value(known, one, {});
    auto after = before.empty() ? before : only_value(words, other, {policies::plain(before)});
    auto fits = one == "day" || (!only_days && stand_alike(known, before, words, after));
    if (!after.empty() && fits)
      return {before, after};
  }
  auto days = unspaced_days(statement);
  auto others = unspaced_days(text);
  if (days.size() == 1 && !others.empty() && others.back() != days[0])
    return {std::string{days[0]}, std::string{others.back()}};
  return {};
}

std::string with_value(std::string_view statement, const value_exchange& values) {
  auto same = [](char a, char b) { return lower_letter(a) == lower_letter(b); };
  auto i = std::search(
    statement.begin(), statement.end(), values.before.begin(), values.before.end(), same);
  if (i == statement.end() || values.before.empty())
    return {};
  auto at = static_cast<size_t>(i - statement.begin());
  auto end = at + values.before.size();
  auto is_spaced = static_cast<unsigned char>(values.before[0]) < 0xE3;
  if (is_spaced
      && ((at > 0 && is_part_of_word(statement, at - 1)) || is_part_of_word(statement, end)))
    return {};
  std::string result{statement.substr(0, at)};
  return result.append(values.after).append(statement.substr(end));
}

} // namespace scratchpage
