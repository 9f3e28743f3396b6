#include "scratchpage/tests/bench/observation_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace scratchpage::bench {

namespace {

std::string make_word(std::mt19937& random, size_t syllables) {
  constexpr std::string_view consonants = "bcdfglmnprstv";
  constexpr std::string_view vowels = "aeiou";
  std::string result;
  for (; syllables > 0; --syllables) {
    result += consonants[random() % consonants.size()];
    result += vowels[random() % vowels.size()];
    if (random() % 3 == 0)
      result += consonants[random() % consonants.size()];
  }
  return result;
}

std::vector<std::string> make_words(std::mt19937& random, size_t count) {
  std::vector<std::string> result;
  std::set<std::string> known;
  while (result.size() < count) {
    auto word = make_word(random, 2 + random() % 3);
    if (known.insert(word).second)
      result.push_back(std::move(word));
  }
  return result;
}

constexpr std::array types{"observation", "contextual_insight", "action_suggestion",
  "pattern_detected", "risk_alert", "error_alert", "learning", "tool_result", "user_input",
  "evaluation_result"};
constexpr std::array sources{"router", "executor", "evaluator", "weather_tool", "mail_tool",
  "payment_tool", "search_tool", "calendar_tool"};

} // namespace

observation_source::observation_source(uint32_t seed)
  : random_{seed},
    words_{make_words(random_, 20'000)},
    tags_{make_words(random_, 200)} {}

observation observation_source::make(uint64_t number) {
  auto at = [](uint64_t ms) {
    return timestamp{std::chrono::milliseconds{static_cast<int64_t>(ms)}};
  };
  observation x;
  x.observation_id = "obs_20251105_" + std::to_string(number);
  x.type = types[random_() % types.size()];
  x.content = sentence(number);
  x.confidence = static_cast<double>(random_() % 101) / 100;
  while (x.tags.size() < 3) {
    const auto& tag = tags_[zipf(tags_.size())];
    if (std::find(x.tags.begin(), x.tags.end(), tag) == x.tags.end())
      x.tags.push_back(tag);
  }
  x.tags.shrink_to_fit();
  x.source = {source_kind::tool, sources[random_() % sources.size()],
    "turn_" + std::to_string(number / 8), at(number)};
  x.context["goal_id"] = "goal_" + std::to_string(number / 10);
  x.created_at = x.updated_at = at(number);
  x.expires_at = at(number + 604'800'000 + random_() % 1000);
  return x;
}

size_t observation_source::payload(const observation& x) {
  auto result = x.content.size();
  for (const auto& tag : x.tags)
    result += tag.size();
  for (const auto& [key, value] : x.context)
    result += key.size() + value.as_string().size();
  return result;
}

size_t observation_source::zipf(size_t below) {
  auto uniform = static_cast<double>(random_()) / (static_cast<double>(std::mt19937::max()) + 1);
  return static_cast<size_t>(std::pow(static_cast<double>(below), uniform)) - 1;
}

std::string observation_source::sentence(uint64_t number) {
  std::string result = random_() % 4 == 0 ? "Order " + std::to_string(number * 7919) : "The";
  while (result.size() < 80 - 6)
    result.append(" ")
      .append(random_() % 3 == 0 ? "of the " : "")
      .append(words_[zipf(words_.size())]);
  return result;
}

} // namespace scratchpage::bench
