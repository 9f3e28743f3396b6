#include "scratchpage/actors/policies/request_gaps.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/deed_reading.hpp"
#include "scratchpage/actors/policies/request_words.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

using policies::word_set;
using word_list = std::vector<std::string>;

/// Where the first word of a set stands; the end if nowhere.
size_t where_any(const word_list& words, const word_set& set) {
  auto is_in = [&](const std::string& word) { return set.contains(word); };
  return static_cast<size_t>(std::find_if(words.begin(), words.end(), is_in) - words.begin());
}

bool shares_stem(const word_list& a, const word_list& b) {
  word_list stems;
  for (const auto& word : b)
    stems.push_back(stem(word));
  return std::any_of(
    a.begin(), a.end(), [&](const std::string& word) { return contains(stems, stem(word)); });
}

/// The words of what a call was given and of what it gave, as far as they are read.
word_list words_of_call(const call_record& call) {
  constexpr size_t read_bytes = 65'536;
  return words_of(utf8::prefix(to_text(call.outputs) + " " + to_text(call.inputs), read_bytes));
}

/// The last place that a successful call tells of.
std::string last_place(const std::vector<call_record>& calls) {
  static const word_set keys{"at", "location", "position", "place", "pose", "station", "waypoint",
    "ort", "standort", "ubicación", "ubicacion", "posición", "posicion", "lieu", "emplacement",
    "位置", "地点", "場所", "现在位置", "現在地", "current_location", "current_position"};
  std::string result;
  for (const auto& call : calls)
    for (const auto& one : call.outputs)
      if (call.outcome == call_outcome::succeeded && one.value().is_string()
          && keys.contains(in_lower_case(std::string_view{one.key()})))
        result = in_lower_case(std::string_view{one.value().get_string()});
  return result;
}

/// Where the words of a place begin to which something is to be brought; the end if nowhere.
size_t begin_of_target(const word_list& words) {
  static const word_set bringing{"bring", "carry", "take", "move", "deliver", "drive", "transport",
    "fetch", "go", "navigate", "put", "place", "bringe", "trage", "trag", "hole", "hol", "stelle",
    "stell", "lege", "leg", "fahre", "fahr", "liefere", "transportiere", "lleva", "trae", "mueve",
    "transporta", "conduce", "apporte", "amène", "porte", "transporte", "emmène", "conduis",
    "déplace"};
  static const word_set towards{"to", "into", "onto", "zum", "zur", "nach", "ins", "al", "hasta",
    "au", "aux", "vers", "jusqu'au", "jusqu'à", "à"};
  if (words.empty() || where_any(words, bringing) == words.size())
    return words.size();
  for (auto i = words.size(); i-- > 1;)
    if (towards.contains(words[i]))
      return i + 1;
  return words.size();
}

/// Whether a text says that something is to be brought away from a place.
bool names_source(std::string_view text, std::string_view place) {
  auto at = place.empty() ? std::string_view::npos : text.find(place);
  return at != std::string_view::npos
         && (text.substr(at + place.size()).starts_with("から")
             || text.substr(0, at).ends_with("从"));
}

/// What was to be brought somewhere is last seen where it was.
std::string other_place(const asked_thing& thing, const evaluation_input& turn) {
  if (thing.kind != asked_kind::deed || !turn.response.empty())
    return {};
  auto place = last_place(turn.calls);
  if (place.empty())
    return {};
  auto is_source = names_source(in_lower_case(thing.text), place);
  auto words = words_of(thing.text);
  if (auto begin = begin_of_target(words); begin < words.size()) {
    auto middle = words.begin() + static_cast<std::ptrdiff_t>(begin);
    word_list target{middle, words.end()}, rest{words.begin(), middle};
    auto found = words_of(place);
    is_source = !shares_stem(found, target) && shares_stem(found, rest);
  }
  return is_source ? "it is still at " + place : std::string{};
}

/// Words for what something is to be checked for: "check them for mistakes".
word_list sought_in(const word_list& words) {
  static const phrase_list all{
    {"them for", "it for", "these for", "those for", "each for", "sie auf", "es auf", "diese auf",
      "alle auf", "ihn auf", "en busca de", "à la recherche de", "à la recherche d'"}};
  word_list result;
  for (size_t i = 0; i < words.size(); ++i)
    if (auto length = all.length_at(words, i); length > 0)
      for (auto k = i + length; k < words.size(); ++k)
        if (words[k].size() > 3)
          result.push_back(words[k]);
  return result;
}

/// Nothing tells of what something was to be checked for.
std::string not_checked(const asked_thing& thing, const evaluation_input& turn) {
  static const word_set found{"no", "none", "nothing", "not", "fine", "problem", "problems",
    "issue", "issues", "found", "conflict", "conflicts", "clean", "free", "safe", "ok", "okay",
    "kein", "keine", "nichts", "sauber", "ningún", "ninguna", "nada", "sin", "aucun", "aucune",
    "rien", "checked", "geprüft", "revisado", "vérifié"};
  if (thing.kind == asked_kind::deed)
    return {};
  auto sought = sought_in(words_of(thing.text));
  if (sought.empty())
    return {};
  auto told = words_of(turn.response);
  if (where_any(told, found) < told.size())
    return {};
  for (const auto& call : turn.calls)
    for (const auto& words : {words_of_id(call.tool_id), words_of_call(call)})
      told.insert(told.end(), words.begin(), words.end());
  return shares_stem(told, sought) ? std::string{} : "nothing tells of " + sought.front();
}

} // namespace

bool only_runs(const asked_thing& thing) {
  static const word_set running{
    "run", "rerun", "execute", "führe", "ejecuta", "corre", "exécute", "lance"};
  auto words = words_of(thing.text);
  return where_any(words, running) < words.size() || thing.text.find("运行") != std::string::npos
         || thing.text.find("実行") != std::string::npos;
}

std::string missing_value(const std::vector<std::string>& values, const evaluation_input& turn) {
  constexpr size_t shortest_code = 3; // bytes; what is shorter may be said of anything
  word_list given;
  for (const auto& call : turn.calls) {
    auto words = words_of_call(call);
    given.insert(given.end(), words.begin(), words.end());
  }
  auto said = words_of(turn.response);
  auto is_in = [](const word_list& words, const std::string& value) {
    return contains(words, value) || contains(words, "0" + value);
  };
  auto is_told = [&](
                   const std::string& value) { return is_in(given, value) || is_in(said, value); };
  auto are_short = std::all_of(
    values.begin(), values.end(), [&](const auto& one) { return one.size() < shortest_code; });
  auto are_digits =
    std::all_of(values.begin(), values.end(), [](const auto& one) { return one.size() == 1; });
  auto told = std::count_if(values.begin(), values.end(),
    [&](const std::string& value) { return are_short ? is_in(given, value) : is_told(value); });
  if (told < (are_digits ? 2 : 1))
    return {};
  auto missing = std::find_if_not(values.begin(), values.end(), is_told);
  return missing == values.end() ? std::string{} : *missing;
}

std::string gap_in(const asked_thing& thing, const evaluation_input& turn, size_t things) {
  if (auto place = other_place(thing, turn); !place.empty())
    return place;
  return things > 1 && turn.calls.size() < things ? not_checked(thing, turn) : std::string{};
}

} // namespace scratchpage
