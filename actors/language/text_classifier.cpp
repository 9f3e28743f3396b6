#include "scratchpage/actors/language/text_classifier.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "scratchpage/actors/language/text_features.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view title = "hundredths";
constexpr std::string_view bias = "*"; // no feature: words have no asterisk
constexpr size_t longest_feature = 4'096;
constexpr size_t longest_number = 6; // characters
constexpr double hundredth = 0.01;

std::string_view take_until(std::string_view& text, char separator) {
  auto end = std::min(text.find(separator), text.size());
  auto result = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return result;
}

caf::error refused(size_t line, std::string_view expected) {
  return fail(errc::invalid_request, "line " + std::to_string(line), expected);
}

bool is_weight(std::string_view text) {
  if (text.size() > longest_number || text == "-")
    return false;
  auto digits = text.starts_with('-') ? text.substr(1) : text;
  return std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The half of a hash that does not choose the slot.
uint32_t tag_of(uint64_t hash) {
  constexpr int half = 32;
  return static_cast<uint32_t>(hash >> half);
}

/// Whether `text`, what follows a feature and its tab, has a number for each class.
bool are_numbers(std::string_view text, size_t classes) {
  size_t found = 1;
  for (auto tab = text.find('\t'); tab != std::string_view::npos; tab = text.find('\t')) {
    if (!is_weight(text.substr(0, tab)))
      return false;
    text.remove_prefix(tab + 1);
    ++found;
  }
  return is_weight(text) && found == classes;
}

} // namespace

caf::expected<text_classifier> text_classifier::read(std::string_view weights) {
  text_classifier result;
  result.weights_ = weights;
  auto rest = weights;
  auto head = take_until(rest, '\n');
  if (take_until(head, '\t') != title || head.empty())
    return refused(1, "\"hundredths\" and the names of the classes");
  while (!head.empty())
    result.classes_.emplace_back(take_until(head, '\t'));
  std::string_view previous;
  for (size_t number = 2; !rest.empty(); ++number) {
    auto at = static_cast<uint32_t>(weights.size() - rest.size());
    auto line = take_until(rest, '\n');
    auto feature = take_until(line, '\t');
    if (feature.empty() || feature.size() > longest_feature
        || !are_numbers(line, result.classes_.size()))
      return refused(number, "a feature and a whole number for each class");
    if (feature <= previous)
      return refused(number, "a feature that comes after the one before");
    result.places_.push_back({at, static_cast<uint16_t>(feature.size())});
    previous = feature;
  }
  result.make_slots();
  return result;
}

/// Fills the hash table. It is at most half full, so that a search ends soon.
void text_classifier::make_slots() {
  slots_.assign(std::bit_ceil(2 * places_.size() + 1), {0, 0});
  auto mask = slots_.size() - 1;
  for (uint32_t n = 0; n < places_.size(); ++n) {
    auto hash = keyed_hash(feature_at(places_[n]));
    auto i = hash & mask;
    while (slots_[i].number != 0)
      i = (i + 1) & mask;
    slots_[i] = {tag_of(hash), n + 1};
  }
}

/// Where a feature is; null if it is not listed.
const text_classifier::place* text_classifier::find(std::string_view feature) const {
  auto mask = slots_.size() - 1;
  auto hash = keyed_hash(feature);
  for (auto i = hash & mask; slots_[i].number != 0; i = (i + 1) & mask) {
    const auto& x = places_[slots_[i].number - 1];
    if (slots_[i].tag == tag_of(hash) && feature_at(x) == feature)
      return &x;
  }
  return nullptr;
}

/// Adds the weights of a feature.
void text_classifier::add(const place& x, std::span<int64_t> to) const {
  const auto* at = weights_.data() + x.at + x.bytes + 1;
  const auto* end = weights_.data() + weights_.size();
  for (size_t n = 0; n < to.size() && at < end && *at != '\n'; ++at) {
    if (*at == '\t') {
      ++n;
      continue;
    }
    auto is_negative = *at == '-';
    int64_t number = 0;
    for (at += is_negative ? 1 : 0; at < end && *at >= '0' && *at <= '9'; ++at)
      number = number * 10 + (*at - '0');
    to[n] += is_negative ? -number : number;
    --at; // the loop goes on with what follows the number
  }
}

std::vector<double> text_classifier::probabilities(std::string_view text) const {
  feature_parts parts{text};
  std::vector<const place*> found;
  found.reserve(parts.size() + 1);
  found.push_back(find(bias));
  for (size_t i = 0; i < parts.size(); ++i)
    found.push_back(find(parts[i]));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end()); // each counts once
  std::vector<int64_t> sums(classes_.size());
  for (const auto* one : found)
    if (one != nullptr)
      add(*one, sums);
  auto highest = *std::max_element(sums.begin(), sums.end());
  std::vector<double> result;
  result.reserve(sums.size());
  for (auto one : sums)
    result.push_back(std::exp(hundredth * static_cast<double>(one - highest)));
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
