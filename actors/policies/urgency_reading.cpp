#include "scratchpage/actors/policies/urgency_reading.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/words.hpp"

namespace scratchpage {

namespace {

constexpr double narrow = 0.15;      // the probabilities of two levels are close
constexpr double clearly = 0.75;     // a text that so probably is low has no haste
constexpr size_t read_together = 3;  // sentences
constexpr size_t max_sentences = 40; // of a text that are read in turn

using marks = std::pair<std::string_view, std::string_view>;
constexpr std::array<marks, 6> quotation_marks{
  {{"\"", "\""}, {"\xE2\x80\x9C", "\xE2\x80\x9D"}, {"\xE2\x80\x9E", "\xE2\x80\x9C"},
    {"\xC2\xAB", "\xC2\xBB"}, {"\xE3\x80\x8C", "\xE3\x80\x8D"}, {"\xE3\x80\x8E", "\xE3\x80\x8F"}}};

/// Where the passage in quotation marks that begins at `from` ends; `from` if none begins.
size_t end_of_quotation(std::string_view text, size_t from) {
  for (const auto& [open, close] : quotation_marks) {
    if (!is_at(text, from, open))
      continue;
    auto end = text.find(close, from + open.size());
    if (end != std::string_view::npos)
      return end + close.size();
  }
  return from;
}

bool ends_sentence(std::string_view text, size_t i) {
  auto is_last = i + 1 >= text.size() || text[i + 1] == ' ' || text[i + 1] == '\n';
  return text[i] == '\n' || ((text[i] == '.' || text[i] == '!' || text[i] == '?') && is_last);
}

/// Where each sentence ends.
std::vector<size_t> sentence_ends(std::string_view text) {
  std::vector<size_t> result;
  bool has_words = false;
  for (size_t i = 0; i < text.size() && result.size() < max_sentences; ++i) {
    if (has_words && ends_sentence(text, i)) {
      result.push_back(i + 1);
      has_words = false;
    } else if (static_cast<unsigned char>(text[i]) > '?') {
      has_words = true;
    }
  }
  if (has_words && result.size() < max_sentences)
    result.push_back(text.size());
  return result;
}

urgency_meaning read_together_with(std::string_view text) {
  const auto& classifier = language::urgency();
  auto found = classifier.probabilities(text);
  urgency_meaning result{0, 0, 0};
  for (size_t i = 0; i < found.size(); ++i) {
    const auto& name = classifier.classes()[i];
    (name == "high" ? result.high : name == "medium" ? result.medium : result.low) += found[i];
  }
  return result;
}

} // namespace

urgency urgency_meaning::level() const {
  if (high >= medium && high >= low)
    return urgency::high;
  return medium >= low ? urgency::medium : urgency::low;
}

urgency urgency_meaning::rival() const {
  switch (level()) {
  case urgency::high:
    return medium >= low ? urgency::medium : urgency::low;
  case urgency::medium:
    return high >= low ? urgency::high : urgency::low;
  default:
    return high >= medium ? urgency::high : urgency::medium;
  }
}

bool urgency_meaning::is_unsure() const {
  std::array<double, 3> all{low, medium, high};
  std::sort(all.begin(), all.end());
  return all[2] - all[1] < narrow;
}

bool urgency_meaning::is_clearly_low() const {
  return low >= clearly;
}

std::string without_quotations(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    auto end = end_of_quotation(text, i);
    if (end > i)
      result += "...";
    else
      result += text[end++];
    i = end;
  }
  return words_of(result).empty() ? std::string{text} : result;
}

urgency_meaning read_urgency(std::string_view text) {
  auto said = without_quotations(text);
  auto ends = sentence_ends(said);
  if (ends.size() <= read_together)
    return read_together_with(said);
  urgency_meaning result;
  for (size_t i = 0; i + read_together <= ends.size(); ++i) {
    auto begin = i == 0 ? 0 : ends[i - 1];
    auto found =
      read_together_with(std::string_view{said}.substr(begin, ends[i + read_together - 1] - begin));
    if (found.low < result.low)
      result = found;
  }
  return result;
}

} // namespace scratchpage
