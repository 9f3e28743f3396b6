#include "scratchpage/actors/policies/detail_matching.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/deed_reading.hpp"
#include "scratchpage/actors/policies/request_words.hpp"

namespace scratchpage {

namespace {

using policies::word_set;

constexpr size_t nouns_read = 3;     // after a number: "two quiet double rooms"
constexpr double most_counted = 999; // a greater number is an amount of something else

/// A number of a request, and the stems of what it may count.
struct amount {
  double number = 0;
  std::set<std::string, std::less<>> nouns;
  bool measures = false; ///< it counts people, nights and the like, of which nobody makes a list
};

const word_set& persons() {
  static const word_set result{"people", "persons", "guests", "covers", "party", "adults", "seats",
    "pax", "personen", "gäste", "personas", "comensales", "personnes", "couverts"};
  return result;
}

/// Words that end what a number counts: "two rooms at the lake".
const word_set& ends_of_amounts() {
  static const word_set result{"at", "on", "for", "to", "in", "from", "with", "and", "of", "by",
    "near", "tomorrow", "tonight", "today", "next", "this", "um", "für", "am", "im", "und", "mit",
    "a", "para", "en", "y", "con", "pour", "à", "et", "avec"};
  return result;
}

/// Things of which several make one: "two copies", "three times".
const word_set& repetitions() {
  static const word_set result{"copies", "times", "kopien", "mal", "exemplare", "copias", "veces",
    "exemplaires", "fois", "copy"};
  return result;
}

bool begins_party(std::string_view word) {
  constexpr std::string_view all[] = {"for", "für", "para", "pour"};
  return std::find(std::begin(all), std::end(all), word) != std::end(all);
}

std::set<std::string, std::less<>> stems_of(const word_set& words) {
  std::set<std::string, std::less<>> result;
  for (const auto& word : words)
    result.insert(stem(word));
  return result;
}

/// Words before a number that is a name, a date or a time.
bool names_by_number(std::string_view word) {
  static const word_set all{"version", "number", "order", "no", "room", "flight", "gate", "line",
    "page", "chapter", "at", "may", "june", "july", "year", "grade", "class", "level", "step",
    "part", "section", "unit", "day", "week", "platform", "terminal", "row", "seat", "floor",
    "building", "house", "table", "case", "ticket", "item", "line", "klasse", "gleis", "zimmer"};
  return all.contains(word);
}

/// What the number at `i` counts: nothing if it only says how often.
amount amount_at(const std::vector<std::string>& words, size_t i, double number) {
  amount result{number, {}, false};
  for (auto k = i + 1; k < words.size() && k <= i + nouns_read; ++k) {
    if (repetitions().contains(words[k]))
      return {};
    if (ends_of_amounts().contains(words[k]))
      break;
    result.measures = result.measures || policies::units().contains(words[k]);
    result.nouns.insert(stem(words[k]));
  }
  // "a table for six", and not "the meeting for six o'clock"
  if (result.nouns.empty() && i > 0 && begins_party(words[i - 1]))
    return {number, stems_of(persons()), true};
  return i > 0 && names_by_number(words[i - 1]) ? amount{} : result;
}

std::vector<amount> amounts_in(std::string_view text) {
  auto words = words_of(text);
  std::vector<amount> result;
  for (size_t i = 0; i < words.size(); ++i)
    if (auto number = number_of_word(words[i]); number && *number > 1)
      if (auto one = amount_at(words, i, static_cast<double>(*number)); !one.nouns.empty())
        result.push_back(std::move(one));
  return result;
}

/// Whether a member's name says of what it tells that it was done: "printed", "booked".
bool is_done_name(std::string_view name) {
  static const word_set done{"sent", "done", "written", "gesendet", "gedruckt", "gebucht"};
  return done.contains(name) || (name.size() > 4 && name.ends_with("ed"));
}

/// Whether a member's name is one of the nouns, beside nothing but how it was counted.
bool names(std::string_view key, const std::set<std::string, std::less<>>& nouns) {
  static const word_set counting{"count", "number", "num", "no", "of", "qty", "size", "anzahl"};
  auto has_noun = false;
  for (const auto& word : words_of_id(key)) {
    if (nouns.contains(stem(word)))
      has_noun = true;
    else if (!counting.contains(word) && !is_done_name(word))
      return false;
  }
  return has_noun;
}

/// What the calls gave of an amount.
struct given {
  std::string key;
  double total = 0;
  bool has_exact = false;
};

std::string told(double x) {
  return std::to_string(std::llround(x));
}

std::string wrong_number(const amount& wanted, const std::vector<call_record>& calls) {
  given found;
  for (const auto& call : calls)
    for (const auto& one : call.outputs) {
      if (call.outcome != call_outcome::succeeded || !one.value().is_number()
          || !names(std::string_view{one.key()}, wanted.nouns))
        continue;
      auto value = one.value().to_number<double>();
      found.key = one.key();
      found.total += value;
      found.has_exact = found.has_exact || value == wanted.number;
    }
  if (found.key.empty() || found.has_exact || found.total == wanted.number
      || found.total > most_counted)
    return {};
  return found.key + " is " + told(found.total) + ", not " + told(wanted.number);
}

std::string short_list(const amount& wanted, const std::vector<call_record>& calls) {
  given found;
  for (const auto& call : calls)
    for (const auto& one : call.outputs) {
      std::string_view key{one.key()};
      auto tells = one.value().is_array() && call.outcome == call_outcome::succeeded
                   && (is_done_name(key) || (!only_looks(call) && names(key, wanted.nouns)));
      if (!tells || one.value().get_array().empty())
        continue;
      found.key = key;
      found.total += static_cast<double>(one.value().get_array().size());
    }
  if (found.key.empty() || found.total >= wanted.number)
    return {};
  return found.key + " has " + told(found.total) + " of " + told(wanted.number);
}

/// The code of a language that is named in one of the languages that the policies read.
std::string_view language_code(std::string_view name) {
  static const std::map<std::string, std::string, std::less<>> codes{{"english", "en"},
    {"englisch", "en"}, {"englische", "en"}, {"inglés", "en"}, {"anglais", "en"}, {"german", "de"},
    {"deutsch", "de"}, {"deutsche", "de"}, {"alemán", "de"}, {"allemand", "de"}, {"french", "fr"},
    {"französisch", "fr"}, {"französische", "fr"}, {"francés", "fr"}, {"français", "fr"},
    {"spanish", "es"}, {"spanisch", "es"}, {"spanische", "es"}, {"español", "es"},
    {"espagnol", "es"}, {"italian", "it"}, {"italienisch", "it"}, {"italienische", "it"},
    {"italiano", "it"}, {"italien", "it"}, {"portuguese", "pt"}, {"portugiesisch", "pt"},
    {"portugués", "pt"}, {"portugais", "pt"}, {"dutch", "nl"}, {"niederländisch", "nl"},
    {"polish", "pl"}, {"polnisch", "pl"}, {"russian", "ru"}, {"russisch", "ru"}, {"turkish", "tr"},
    {"türkisch", "tr"}, {"arabic", "ar"}, {"arabisch", "ar"}, {"chinese", "zh"},
    {"chinesisch", "zh"}, {"japanese", "ja"}, {"japanisch", "ja"}, {"korean", "ko"},
    {"swedish", "sv"}, {"danish", "da"}, {"norwegian", "no"}, {"finnish", "fi"}, {"greek", "el"},
    {"czech", "cs"}, {"ukrainian", "uk"}, {"hindi", "hi"}};
  if (auto i = codes.find(name); i != codes.end())
    return i->second;
  auto is_code =
    std::any_of(codes.begin(), codes.end(), [&](const auto& one) { return one.second == name; });
  return is_code ? name : std::string_view{};
}

/// The language that a text is to be in: "into French", "ins Deutsche".
std::string_view wanted_language(std::string_view text) {
  static const word_set before{"into", "to", "in", "ins", "auf", "al", "en"};
  auto words = words_of(text);
  for (size_t i = 1; i < words.size(); ++i)
    if (before.contains(words[i - 1]) && words[i].size() > 2)
      if (auto code = language_code(words[i]); !code.empty())
        return code;
  return {};
}

std::string wrong_language(std::string_view text, const std::vector<call_record>& calls) {
  static const word_set keys{"target", "target_language", "target_lang", "to", "language", "lang",
    "zielsprache", "sprache", "idioma", "langue"};
  auto wanted = wanted_language(text);
  std::string result;
  for (const auto& call : calls)
    for (const auto& one : call.outputs) {
      if (wanted.empty() || !one.value().is_string() || !keys.contains(std::string_view{one.key()}))
        continue;
      std::string_view value{one.value().get_string()};
      auto words = words_of(value);
      auto is = words.empty() ? std::string_view{} : language_code(words.front());
      if (is == wanted)
        return {};
      if (!is.empty())
        result =
          std::string{one.key()}.append(" is ").append(value).append(", not ").append(wanted);
    }
  return result;
}

/// What was changed, where an output names something that nobody asked to change.
std::string wrong_field(std::string_view text, const std::vector<call_record>& calls) {
  static const word_set keys{"field", "attribute", "property", "feld", "campo", "champ"};
  auto asked = words_of(text);
  for (const auto& call : calls)
    for (const auto& one : call.outputs) {
      if (!one.value().is_string() || !keys.contains(std::string_view{one.key()}))
        continue;
      std::string_view value{one.value().get_string()};
      auto words = words_of_id(value);
      auto is_asked = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::any_of(
          asked.begin(), asked.end(), [&](const std::string& x) { return stem(x) == stem(word); });
      });
      if (!words.empty() && !is_asked)
        return std::string{one.key()}.append(" is ").append(value);
    }
  return {};
}

} // namespace

std::string contradiction(const asked_thing& thing, const std::vector<call_record>& calls) {
  auto amounts = thing.kind == asked_kind::deed ? amounts_in(thing.text) : std::vector<amount>{};
  for (const auto& one : amounts)
    if (auto found = wrong_number(one, calls); !found.empty())
      return found;
  if (amounts.size() == 1 && !amounts.front().measures)
    if (auto found = short_list(amounts.front(), calls); !found.empty())
      return found;
  if (auto found = wrong_language(thing.text, calls); !found.empty())
    return found;
  return thing.kind == asked_kind::deed ? wrong_field(thing.text, calls) : std::string{};
}

} // namespace scratchpage
