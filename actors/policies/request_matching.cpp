#include "scratchpage/actors/policies/request_matching.hpp"

#include <algorithm>
#include <map>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/deed_reading.hpp"
#include "scratchpage/actors/policies/output_reading.hpp"
#include "scratchpage/actors/policies/output_words.hpp"
#include "scratchpage/actors/policies/request_words.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_things = 20;
constexpr size_t shortest_beginning = 5; // of a word that has a topic
constexpr size_t shortest_value = 3;     // of a list, as times and counts are shorter
constexpr size_t longest_farewell = 8;   // words
constexpr size_t longest_opening = 6;    // words before the verb of a request: "could you please"

bool has(const policies::word_set& set, std::string_view word) {
  return set.contains(word);
}

bool has_unspaced(std::string_view text) {
  return std::any_of(
    text.begin(), text.end(), [](unsigned char c) { return c >= 0xE3 && c <= 0xEF; });
}

bool asks_by_mark(std::string_view text) {
  return text.find('?') != std::string_view::npos
         || text.find("\xEF\xBC\x9F") != std::string_view::npos;
}

/// The verb that a clause begins with, after "please", "could you" and the like: its kind.
std::optional<asked_kind> kind_of_verb(const std::vector<std::string>& words) {
  size_t i = 0;
  while (i < words.size() && i < longest_opening && has(policies::openings(), words[i]))
    ++i;
  if (i >= words.size())
    return std::nullopt;
  const auto& word = words[i];
  if (word == "let" && i + 2 < words.size()
      && std::find(words.begin() + static_cast<std::ptrdiff_t>(i), words.end(), "know")
           != words.end()) // "let me know" is told, "let Ann know" is a message
    return words[i + 1] == "me" || words[i + 1] == "us" ? asked_kind::words : asked_kind::deed;
  if (has(policies::telling(), word))
    return asked_kind::words;
  if (has(policies::looking(), word))
    return asked_kind::look;
  if (has(policies::doing(), word))
    return asked_kind::deed;
  return std::nullopt;
}

/// Likewise where verbs do not stand first.
std::optional<asked_kind> kind_of_unspaced(std::string_view text) {
  if (has_part(text, policies::unspaced_questions()))
    return asked_kind::answer;
  if (has_part(text, policies::unspaced_telling()))
    return asked_kind::words;
  if (has_part(text, policies::unspaced_looking()))
    return asked_kind::look;
  if (has_part(text, policies::unspaced_doing()))
    return asked_kind::deed;
  return std::nullopt;
}

/// Whether a clause says how something is to be done, and not what: "quickly, please".
bool says_only_how(const std::vector<std::string>& words) {
  static const policies::word_set manner{"please", "quickly", "quick", "fast", "faster", "now",
    "right", "away", "asap", "soon", "immediately", "urgently", "urgent", "hurry", "bitte",
    "schnell", "sofort", "rápido", "pronto", "vite", "rapidement"};
  return std::all_of(
    words.begin(), words.end(), [](const auto& word) { return has(manner, word); });
}

/// Whether a clause only agrees: "I confirm", "I accept the new price".
bool only_agrees(const std::vector<std::string>& words) {
  static const phrase_list all{{"i confirm", "i agree", "i accept", "i approve", "i consent",
    "i authorise", "i authorize", "yes i confirm", "ich bestätige", "ich stimme zu", "confirmo",
    "acepto", "je confirme", "j'accepte"}};
  return all.length_at(words, 0) > 0;
}

std::optional<asked_kind> kind_of_request(std::string_view clause, bool asks) {
  if (has_unspaced(clause))
    return kind_of_unspaced(clause);
  auto words = words_of(clause);
  if (words.empty() || says_only_how(words) || only_agrees(words))
    return std::nullopt;
  if (has(policies::questioning(), words.front()))
    return asked_kind::answer;
  if (auto found = kind_of_verb(words))
    return found;
  // Other languages put the verb last: "Den Flug buchen bitte".
  for (const auto& word : words)
    if (has(policies::infinitives(), word))
      return asked_kind::deed;
  static const policies::word_set refusing{
    "nothing", "don't", "not", "nicht", "nichts", "kein", "keine", "nada", "rien", "pas"};
  auto wishes = std::any_of(words.begin(), words.end(), [](const auto& word) {
    return has(policies::wishing(), word);
  }) && std::none_of(words.begin(), words.end(), [](const auto& word) {
    return has(refusing, word); // "I need nothing more"
  });
  if (wishes) // "I need the weather" is told, "I need a cab" is brought
    return changes_by_name(clause) == false ? asked_kind::look : asked_kind::deed;
  return asks ? std::optional{asked_kind::answer} : std::nullopt;
}

/// How many of something are wanted. Units and times count nothing.
std::optional<size_t> count_in(const std::vector<std::string>& words) {
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    auto number = number_of_word(words[i]);
    if (!number || *number < 2 || (i > 0 && has(policies::before_amounts(), words[i - 1])))
      continue;
    for (size_t j = i + 1; j < words.size() && j <= i + 3; ++j) {
      if (has(policies::units(), words[j]))
        break;
      if (words[j].size() > 3 && (words[j].ends_with('s') || words[j].ends_with("en")))
        return number;
    }
  }
  return std::nullopt;
}

/// The topics of each word, and the words of scripts without spaces.
struct topic_index {
  std::map<std::string, std::set<size_t>, std::less<>> by_word;
  std::vector<std::pair<std::string_view, size_t>> unspaced;

  topic_index() {
    const auto& topics = policies::topics();
    for (size_t i = 0; i < topics.size(); ++i)
      for (const auto& one : topics[i])
        if (has_unspaced(one))
          unspaced.emplace_back(one, i);
        else
          by_word[one].insert(i);
  }

  void add(std::string_view word, std::set<size_t>& to) const {
    if (auto i = by_word.find(word); i != by_word.end())
      to.insert(i->second.begin(), i->second.end());
  }
};

/// A word has the topics of itself, of its stem, and of a longer beginning of it.
std::set<size_t> topics_of(std::string_view text, const std::vector<std::string>& words) {
  static const topic_index index;
  std::set<size_t> result;
  for (const auto& word : words) {
    index.add(word, result);
    if (word.size() > 3 && word.ends_with('s'))
      index.add(std::string_view{word}.substr(0, word.size() - 1), result);
    for (auto size = shortest_beginning; size < word.size(); ++size)
      index.add(std::string_view{word}.substr(0, size), result);
  }
  if (has_unspaced(text))
    for (const auto& [word, topic] : index.unspaced)
      if (text.find(word) != std::string_view::npos)
        result.insert(topic);
  return result;
}

/// Divides a text where a new request may begin: after sentences, commas and "and".
std::vector<std::string> pieces_of(std::string_view input) {
  static const std::vector<std::string_view> joints{" and then ", " and ", " then ", " und ",
    " y luego ", " y ", " e ", " et ", " puis ", " dann ", ", ", "; ", ". ", "! ", "? ", "\n", "。",
    "、", "，", "；", "？", "！", "然后", "并且", "そして", "それから"};
  std::vector<std::string> result{std::string{}};
  for (size_t i = 0; i < input.size();) {
    auto joint = std::find_if(
      joints.begin(), joints.end(), [&](std::string_view one) { return is_at(input, i, one); });
    if (joint == joints.end()) {
      result.back() += input[i++];
      continue;
    }
    if (joint->find('?') != std::string_view::npos || *joint == "？")
      result.back() += '?';
    i += joint->size();
    result.emplace_back();
  }
  return result;
}

/// Whether words without a verb name something else to be done in the same way: "Book a hotel and a
/// train there".
bool is_further_object(const std::vector<std::string>& words, const std::set<size_t>& topics,
  const asked_thing& before) {
  static const policies::word_set articles{
    "a", "an", "another", "ein", "eine", "einen", "un", "una", "une"};
  auto is_new = std::none_of(
    topics.begin(), topics.end(), [&](size_t topic) { return before.topics.contains(topic); });
  return before.kind == asked_kind::deed && words.size() > 1 && is_new && !before.topics.empty()
         && has(articles, words.front());
}

/// An input without the mark of a simulated user that the conversation is over: "###STOP###".
std::string_view without_end_mark(std::string_view input) {
  constexpr std::string_view mark = "###";
  auto end = input.find_last_not_of(" \n");
  if (end == std::string_view::npos || !input.substr(0, end + 1).ends_with(mark))
    return input;
  auto begin = input.substr(0, end + 1 - mark.size()).rfind(mark);
  return begin == std::string_view::npos ? input : input.substr(0, begin);
}

/// Whether values side by side are names of things, and neither times nor counts: all of them are
/// long, or things stand before short ones.
bool is_row_of_names(
  const std::string& before, const std::vector<std::string>& row, const std::string& after) {
  static const policies::word_set times{
    "o'clock", "uhr", "am", "pm", "h", "heures", "horas", "percent", "prozent", "euros", "euro"};
  constexpr size_t shortest_noun = 4; // bytes
  if (std::all_of(
        row.begin(), row.end(), [](const auto& one) { return one.size() >= shortest_value; }))
    return true;
  auto is_plural = before.ends_with('s') || before.ends_with('n') || before.ends_with('x');
  return before.size() >= shortest_noun && is_plural && !has(policies::before_amounts(), before)
         && !has(times, after) && before != "between" && before != "zwischen"
         && std::all_of(row.begin(), row.end(), [](const auto& one) { return is_number(one); });
}

/// Three and more numbers that an input lists in a script without spaces: "12、13和14".
std::vector<std::string> unspaced_values(std::string_view input) {
  static const std::vector<std::string_view> joints{
    "、", "，", ",", "和", "与", "及", "と", "号、", "号和", "号と", "番、", "番と", ", ", "以及"};
  constexpr size_t shortest_row = 3;
  std::vector<std::string> result, row;
  size_t end = 0; // of the last number
  auto end_row = [&] {
    if (row.size() >= shortest_row)
      result.insert(result.end(), row.begin(), row.end());
    row.clear();
  };
  for (auto at = input.find_first_of("0123456789"); at != std::string_view::npos;
       at = input.find_first_of("0123456789", end)) {
    if (!row.empty()
        && std::find(joints.begin(), joints.end(), input.substr(end, at - end)) == joints.end())
      end_row();
    end = std::min(input.find_first_not_of("0123456789", at), input.size());
    row.emplace_back(input.substr(at, end - at));
  }
  end_row();
  return result;
}

} // namespace

std::optional<size_t> number_of_word(const std::string& word) {
  static const std::map<std::string, size_t, std::less<>> named{{"two", 2}, {"three", 3},
    {"four", 4}, {"five", 5}, {"six", 6}, {"seven", 7}, {"eight", 8}, {"nine", 9}, {"ten", 10},
    {"twelve", 12}, {"twenty", 20}, {"zwei", 2}, {"drei", 3}, {"vier", 4}, {"fünf", 5},
    {"sechs", 6}, {"zehn", 10}, {"dos", 2}, {"tres", 3}, {"cuatro", 4}, {"cinco", 5}, {"diez", 10},
    {"deux", 2}, {"trois", 3}, {"quatre", 4}, {"cinq", 5}, {"dix", 10}};
  if (auto i = named.find(word); i != named.end())
    return i->second;
  if (is_number(word) && word.size() <= 3)
    return std::stoul(word);
  return std::nullopt;
}

std::vector<std::string> listed_values(std::string_view input) {
  static const policies::word_set joints{"and", "und", "y", "e", "et"};
  input = utf8::prefix(input, reading_limits::input_bytes);
  if (has_unspaced(input))
    return unspaced_values(input);
  std::vector<std::string> result, row;
  std::string before; // the word before a row
  auto end_row = [&](const std::string& after) {
    if (row.size() > 1 && is_row_of_names(before, row, after))
      result.insert(result.end(), row.begin(), row.end());
    row.clear();
    before = after;
  };
  for (auto& word : words_of(input)) {
    if (word.find_first_of("0123456789") != std::string::npos)
      row.push_back(std::move(word));
    else if (row.empty() || !has(joints, word))
      end_row(word);
  }
  end_row({});
  return result;
}

std::vector<std::string> listed_names(std::string_view input) {
  static const policies::word_set joints{"and", "und", "y", "e", "et", ",", "de", "von", "of"};
  std::vector<std::string> result;
  std::string before; // the name that the next one may be listed with
  auto was_joint = false;
  auto begins = true;
  input = utf8::prefix(input, reading_limits::input_bytes);
  for (size_t at = 0; at < input.size();) {
    auto end = std::min(input.find_first_of(" \n", at), input.size());
    auto token = input.substr(at, end - at);
    at = end + 1;
    auto words = words_of(token);
    if (words.empty())
      continue;
    auto is_name = !begins && words.size() == 1 && token.front() >= 'A' && token.front() <= 'Z'
                   && words.front().size() > 2;
    if (is_name && was_joint && !before.empty()) {
      if (!contains(result, before))
        result.push_back(before);
      result.push_back(words.front());
    }
    auto is_joint = has(joints, words.front());
    if (is_name)
      before = words.front();
    else if (!is_joint)
      before.clear();
    was_joint = is_joint || token.back() == ',';
    begins = token.find_last_of(".!?:") == token.size() - 1;
  }
  return result;
}

std::vector<asked_thing> things_asked(std::string_view input) {
  input = without_end_mark(utf8::prefix(input, reading_limits::input_bytes));
  std::vector<asked_thing> result;
  if (is_small_talk(input))
    return result;
  for (const auto& piece : pieces_of(input)) {
    auto kind = kind_of_request(piece, asks_by_mark(piece));
    auto words = words_of(piece);
    if (!kind) {
      if (result.empty())
        continue;
      auto topics = topics_of(piece, words);
      // "the second hotel" belongs to what was asked before, "and a train there" does not
      if (is_further_object(words, topics, result.back()) && result.size() < max_things)
        result.push_back({piece, asked_kind::deed, topics, std::nullopt, topics.empty()});
      else
        result.back().topics.merge(topics);
      continue;
    }
    if (result.size() == max_things)
      break;
    // A question after a deed ("is that all right?") asks for nothing more.
    result.push_back({piece, *kind, topics_of(piece, words), count_in(words)});
    if (*kind != asked_kind::deed && has_part(piece, policies::unspaced_further())
        && result.size() < max_things) // "translate it and send it to Li" without a comma
      result.push_back({piece, asked_kind::deed, {}, std::nullopt});
  }
  if (result.empty() && asks_by_mark(input))
    result.push_back(
      {std::string{input}, asked_kind::answer, topics_of(input, words_of(input)), std::nullopt});
  return result;
}

bool is_small_talk(std::string_view input) {
  input = without_end_mark(input);
  auto words = words_of(utf8::prefix(input, reading_limits::input_bytes));
  if (words.empty())
    return true;
  if (has_unspaced(input))
    return input.size() <= 45 && has_part(input, policies::unspaced_talk()) && !asks_by_mark(input);
  if (words.size() <= longest_farewell && !asks_by_mark(input)
      && policies::farewells().length_at(words, 0) > 0
      && std::none_of(
        words.begin(), words.end(), [](const auto& word) { return has(policies::doing(), word); }))
    return true;
  auto talk = std::any_of(
    words.begin(), words.end(), [](const auto& word) { return has(policies::talk(), word); });
  return talk && std::all_of(words.begin(), words.end(), [](const auto& word) {
    return has(policies::talk(), word) || has(policies::around_talk(), word);
  });
}

bool only_looks(const call_record& call) {
  auto words = words_of_id(call.tool_id);
  static const policies::word_set trials{"draft", "preview", "simulate", "entwurf", "borrador",
    "brouillon"}; // which send and change nothing yet
  if (std::any_of(words.begin(), words.end(), [](const auto& word) { return has(trials, word); }))
    return true;
  if (auto changes = changes_by_name(call.tool_id))
    return !*changes;
  auto is_plural = words.size() == 1 && words[0].size() > 3 && words[0].ends_with('s')
                   && !words[0].ends_with("ss");
  auto proves = std::any_of(call.outputs.begin(), call.outputs.end(), [](const auto& one) {
    return one.value().is_bool() && one.value().get_bool()
           && policies::proofs().contains(in_lower_case(std::string_view{one.key()}));
  });
  return is_plural && !proves && read_outputs(call.outputs).has_list;
}

bool speaks_to(const call_record& call, const asked_thing& thing) {
  auto words = words_of_id(call.tool_id);
  auto about = topics_of(call.tool_id, words);
  if (about.empty() || thing.topics.empty())
    return true;
  if (std::any_of(
        about.begin(), about.end(), [&](size_t topic) { return thing.topics.contains(topic); }))
    return true;
  // The id may have a word of the request that no topic has.
  auto said = words_of(thing.text);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word.size() > 2 && std::any_of(said.begin(), said.end(), [&](const auto& other) {
      return stem(other) == stem(word);
    });
  });
}

bool speaks_of(std::string_view text, const asked_thing& thing) {
  if (thing.topics.empty())
    return true;
  auto words = words_of(text);
  auto about = topics_of(text, words);
  if (std::any_of(
        about.begin(), about.end(), [&](size_t topic) { return thing.topics.contains(topic); }))
    return true;
  auto asked = words_of(thing.text);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word.size() >= shortest_beginning
           && std::any_of(asked.begin(), asked.end(),
             [&](const auto& other) { return stem(other) == stem(word); });
  });
}

size_t numbered_entries(std::string_view text) {
  size_t next = 1;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    auto begins = i == 0 || text[i - 1] == ' ' || text[i - 1] == '\n';
    auto number = std::to_string(next);
    if (begins && text.compare(i, number.size(), number) == 0 && i + number.size() + 1 < text.size()
        && (text[i + number.size()] == '.' || text[i + number.size()] == ')')
        && text[i + number.size() + 1] == ' ')
      ++next;
  }
  return next - 1;
}

} // namespace scratchpage
