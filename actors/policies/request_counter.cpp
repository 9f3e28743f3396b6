#include "scratchpage/actors/policies/request_counter.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/text/trimmed.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

caf::error validate(const request_config& x, std::string_view path) {
  return config_check{path}
    .some_words("words", x.words)
    .words("determiners", x.determiners)
    .words("no_verbs", x.no_verbs)
    .words("openers", x.openers)
    .words("courtesy", x.courtesy)
    .words("follow_ups", x.follow_ups)
    .words("spread", x.spread)
    .words("units", x.units)
    .range("limit", x.limit, 1, 1000)
    .error();
}

/// A word in lower case, with what is known of how it was written.
struct request_counter::token {
  std::string word;
  bool is_name; ///< begins with a capital letter or a digit
  bool after_comma;
};

struct request_counter::clause {
  size_t begin; ///< its first token
  std::string text;
};

struct request_counter::sentence {
  std::string text;
  std::vector<token> tokens;
  bool is_question;
};

namespace {

constexpr size_t max_item_words = 3; // "San Francisco", "New York City"

constexpr size_t several = 3; // clauses that make a list of requests

bool is_and(const std::string& word) {
  return word == "and" || word == "und" || word == "y" || word == "et";
}

/// The text with the punctuation of scripts without spaces as other scripts write it.
std::string with_plain_punctuation(std::string_view text) {
  static const std::vector<std::pair<std::string_view, std::string_view>> forms{
    {"\xEF\xBC\x8C", ", "}, {"\xE3\x80\x81", ", "}, {"\xE3\x80\x82", ". "}, {"\xEF\xBC\x9B", "; "},
    {"\xEF\xBC\x9F", "? "}, {"\xEF\xBC\x81", "! "}};
  std::string result;
  for (size_t i = 0; i < text.size();) {
    auto form = std::find_if(
      forms.begin(), forms.end(), [&](const auto& one) { return is_at(text, i, one.first); });
    result += form != forms.end() ? form->second : text.substr(i, 1);
    i += form != forms.end() ? form->first.size() : 1;
  }
  return result;
}

bool begins_name(std::string_view written) {
  return (written[0] >= 'A' && written[0] <= 'Z') || (written[0] >= '0' && written[0] <= '9');
}

/// Where the sentence that begins at `from` ends; a full stop within a number
/// or a name ("3.5", "a.m") ends none.
size_t end_of_sentence(std::string_view text, size_t from) {
  for (size_t i = from; i < text.size(); ++i) {
    if (text[i] == '\n' || text[i] == ';' || text[i] == '!' || text[i] == '?')
      return i;
    if (text[i] == '.' && (i + 1 == text.size() || utf8::is_blank(text.substr(i + 1, 1))))
      return i;
  }
  return text.size();
}

} // namespace

request_counter::request_counter(const request_config& config)
  : words_{config.words},
    determiners_{config.determiners},
    no_verbs_{config.no_verbs},
    openers_{config.openers},
    courtesy_{config.courtesy},
    follow_ups_{config.follow_ups},
    spread_{config.spread},
    units_{config.units},
    numbers_{config.numbers},
    limit_{config.limit} {}

std::vector<std::string> request_counter::requests(std::string_view input) const {
  std::vector<std::string> result;
  auto text = with_plain_punctuation(utf8::prefix(input, reading_limits::input_bytes));
  for (const auto& one : sentences_of(text)) {
    for (const auto& request : in_sentence(one))
      if (result.size() < limit_ && !(adds_nothing(request) && !result.empty()))
        result.push_back(utf8::shortened(request, reading_limits::quoted_bytes));
    if (result.size() >= limit_)
      break;
  }
  return result;
}

bool request_counter::adds_nothing(const std::string& request) const {
  return follow_ups_.find_in(words_of(request)) != nullptr;
}

std::vector<request_counter::sentence> request_counter::sentences_of(std::string_view input) {
  std::vector<sentence> result;
  for (size_t from = 0; from < input.size();) {
    auto end = end_of_sentence(input, from);
    sentence one{std::string{trimmed(input.substr(from, end - from), " \t\r\n,")}, {},
      end < input.size() && input[end] == '?'};
    bool comma = false;
    for (size_t i = 0; i < one.text.size();) {
      auto stop = std::min(one.text.find_first_of(" \t\r,", i), one.text.size());
      std::string_view written{one.text.data() + i, stop - i};
      for (auto& word : words_of(written))
        one.tokens.push_back({std::move(word), begins_name(written), std::exchange(comma, false)});
      comma = comma || (stop < one.text.size() && one.text[stop] == ',');
      i = stop + 1;
    }
    if (!one.tokens.empty())
      result.push_back(std::move(one));
    from = end + 1;
  }
  return result;
}

std::vector<std::string> request_counter::in_sentence(const sentence& one) const {
  auto clauses = in_clauses(one);
  auto [position, spread] = spread_over(one);
  std::vector<std::string> result;
  for (size_t i = 0; i < clauses.size(); ++i) {
    // If a clause has a list, its items are counted instead of the clause.
    auto ends = i + 1 < clauses.size() ? clauses[i + 1].begin : one.tokens.size();
    if (spread.empty() || position < clauses[i].begin || position >= ends)
      result.push_back(std::move(clauses[i].text));
  }
  result.insert(result.end(), spread.begin(), spread.end());
  if (result.empty() && one.is_question)
    result.push_back(one.text);
  return result;
}

/// The clauses that are requests. A clause begins a sentence, or follows a comma or an "and". One
/// that begins with any verb is a request if the sentence lists several.
std::vector<request_counter::clause> request_counter::in_clauses(const sentence& one) const {
  std::vector<clause> known;
  std::vector<clause> all;
  std::vector<std::string> words;
  size_t begin = 0;
  auto finish = [&](size_t next) {
    clause each{begin, joined(words, " ")};
    auto is_known = asks(words, 0);
    if (is_known || begins_with_verb(words))
      all.push_back(each);
    if (is_known)
      known.push_back(std::move(each));
    words.clear();
    begin = next;
  };
  for (size_t i = 0; i < one.tokens.size(); ++i) {
    const auto& each = one.tokens[i];
    if (each.after_comma || is_and(each.word))
      finish(i);
    if (!is_and(each.word))
      words.push_back(each.word);
  }
  finish(one.tokens.size());
  return all.size() >= several ? all : known;
}

/// "drop the nulls", "mail it to her": any word that can be a verb before a determiner.
bool request_counter::begins_with_verb(const std::vector<std::string>& words) const {
  if (words.size() < 2 || !contains(determiners_, words[1]))
    return false;
  const auto& verb = words[0];
  auto is_inflected =
    verb.ends_with("ed") || verb.ends_with("ing") || (verb.ends_with('s') && !verb.ends_with("ss"));
  return !is_inflected && !contains(no_verbs_, verb);
}

bool request_counter::asks(const std::vector<std::string>& words, size_t position) const {
  while (position < words.size()) {
    if (words_.length_at(words, position) > 0)
      return true;
    auto opener = openers_.length_at(words, position);
    if (opener == 0)
      return false;
    position += opener;
  }
  return false;
}

/// The things, at least two, that the sentence requests by a number or a list, and the position
/// where they begin.
std::pair<size_t, std::vector<std::string>> request_counter::spread_over(
  const sentence& one) const {
  std::vector<std::string> words;
  for (const auto& each : one.tokens)
    words.push_back(each.word);
  auto asked = one.is_question || words_.find_in(words) != nullptr;
  if (!asked || courtesy_.find_in(words) != nullptr)
    return {};
  for (size_t i = 0; i + 1 < one.tokens.size(); ++i) {
    if (!contains(spread_, one.tokens[i].word))
      continue;
    if (auto counted = counted_at(one.tokens, i + 1); counted.size() > 1)
      return {i, std::move(counted)};
    if (auto listed = listed_at(one.tokens, i + 1); listed.size() > 1)
      return {i, std::move(listed)};
  }
  return {};
}

/// "[in] five cities", "[for] all 3 open reservations".
std::vector<std::string> request_counter::counted_at(
  const std::vector<token>& tokens, size_t after) const {
  auto end = std::min(after + 2, tokens.size());
  for (auto i = after; i < end; ++i) {
    auto count = std::min(number(tokens[i].word), limit_);
    if (count < 2)
      continue;
    for (auto noun = i + 1; noun < std::min(i + 3, tokens.size()); ++noun) {
      const auto& word = tokens[noun].word;
      if (contains(units_, word))
        return {};
      if (!is_countable(word))
        continue;
      std::vector<std::string> result;
      for (uint32_t n = 1; n <= count; ++n)
        result.push_back(word + " (" + std::to_string(n) + " of " + std::to_string(count) + ")");
      return result;
    }
  }
  return {};
}

/// "[in] Paris, London and Rome": short items, the last after an "and". Two items are a list only
/// if both are names; otherwise every "and" would make a list. At most `limit` items are read, so
/// that each word of an input is read a bounded number of times, however many lists begin before.
std::vector<std::string> request_counter::listed_at(
  const std::vector<token>& tokens, size_t after) const {
  std::vector<std::string> items(1);
  bool names = tokens[after].is_name;
  size_t length = 0;
  bool last = false;
  for (auto i = after; i < tokens.size() && !last; ++i) {
    const auto& one = tokens[i];
    auto next_item = is_and(one.word) || one.after_comma;
    if (next_item && length > 0) {
      if (items.size() == limit_)
        return items;
      items.emplace_back();
      length = 0;
    }
    last = is_and(one.word);
    const auto* word = !last ? &one : i + 1 < tokens.size() ? &tokens[i + 1] : nullptr;
    // A number is part of a date or an address.
    if (word == nullptr || ++length > max_item_words || (length == 1 && is_number(word->word)))
      return {};
    if (length == 1)
      names = names && word->is_name;
    items.back().append(items.back().empty() ? "" : " ").append(word->word);
  }
  auto is_list = last && (items.size() > 2 || (items.size() == 2 && names));
  return is_list ? items : std::vector<std::string>{};
}

uint32_t request_counter::number(const std::string& word) const {
  if (auto i = numbers_.find(word); i != numbers_.end())
    return i->second;
  // Longer ones are years, flight numbers or prices.
  return is_number(word) && word.size() <= 2 ? static_cast<uint32_t>(std::stoul(word)) : 0;
}

bool request_counter::is_countable(const std::string& word) const {
  return word.size() > 3 && word.ends_with('s') && !word.ends_with("ss");
}

} // namespace scratchpage
