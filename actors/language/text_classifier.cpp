#include "scratchpage/actors/language/text_classifier.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <system_error>
#include <utility>

#include "scratchpage/actors/language/text_features.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view classes_title = "classes";
constexpr std::string_view bias = "*"; // no feature: words have no asterisk

std::string_view take_until(std::string_view& text, char separator) {
  auto end = std::min(text.find(separator), text.size());
  auto result = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return result;
}

caf::error refused(size_t line, std::string_view expected) {
  return fail(errc::invalid_request, "line " + std::to_string(line), expected);
}

bool read_number(std::string_view text, double& to) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(to);
}

} // namespace

caf::expected<text_classifier> text_classifier::read(std::string_view weights) {
  text_classifier result;
  auto head = take_until(weights, '\n');
  if (take_until(head, '\t') != classes_title || head.empty())
    return refused(1, "\"classes\" and their names");
  while (!head.empty())
    result.classes_.emplace_back(take_until(head, '\t'));
  for (size_t number = 2; !weights.empty(); ++number) {
    auto line = take_until(weights, '\n');
    std::string feature{take_until(line, '\t')};
    std::vector<double> values;
    double value = 0;
    while (!line.empty() && read_number(take_until(line, '\t'), value))
      values.push_back(value);
    if (feature.empty() || !line.empty() || values.size() != result.classes_.size())
      return refused(number, "a feature and a number for each class");
    result.weights_.insert_or_assign(std::move(feature), std::move(values));
  }
  return result;
}

std::vector<double> text_classifier::probabilities(std::string_view text) const {
  std::vector<double> result(classes_.size());
  auto add = [&](std::string_view feature) {
    auto i = weights_.find(feature);
    if (i != weights_.end())
      std::transform(
        result.begin(), result.end(), i->second.begin(), result.begin(), std::plus<>{});
  };
  add(bias);
  auto features = text_features(text);
  for (const auto& feature : features)
    add(feature);
  auto highest = *std::max_element(result.begin(), result.end());
  for (auto& one : result)
    one = std::exp(one - highest);
  auto sum = std::accumulate(result.begin(), result.end(), 0.0);
  for (auto& one : result)
    one /= sum;
  return result;
}

text_class text_classifier::classify(std::string_view text) const {
  auto found = probabilities(text);
  auto best = std::max_element(found.begin(), found.end());
  return {classes_[static_cast<size_t>(best - found.begin())], *best};
}

double text_classifier::probability(std::string_view text, std::string_view name) const {
  auto i = std::find(classes_.begin(), classes_.end(), name);
  if (i == classes_.end())
    return 0;
  return probabilities(text)[static_cast<size_t>(i - classes_.begin())];
}

} // namespace scratchpage
