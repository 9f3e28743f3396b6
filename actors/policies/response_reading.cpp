#include "scratchpage/actors/policies/response_reading.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/policies/sentence_text.hpp"

namespace scratchpage {

namespace {

/// What a sentence of a response does.
struct said {
  std::string_view text;
  std::string_view kind; ///< a class of `classifiers::response`
  bool asks = false;     ///< it ends with a question mark
  bool has_details = false;
};

/// Classes of sentences that ask; a sentence with a question mark is of one of them.
bool asks_something(std::string_view kind) {
  constexpr std::array<std::string_view, 6> all{
    "confirm", "inputs", "choice", "act", "fits", "offer"};
  return std::find(all.begin(), all.end(), kind) != all.end();
}

/// The most probable class, of those that ask if the sentence has a question mark.
std::string_view kind_of(std::string_view masked, bool asks) {
  const auto& classifier = classifiers::response();
  const auto& classes = classifier.classes();
  auto found = classifier.probabilities(masked);
  std::string_view best;
  double highest = -1;
  for (size_t i = 0; i < classes.size(); ++i)
    if (found[i] > highest && (!asks || asks_something(classes[i]))) {
      best = classes[i];
      highest = found[i];
    }
  return best;
}

said reading_of(std::string_view sentence) {
  auto masked = with_names_masked(sentence);
  auto asks = ends_with_question_mark(sentence);
  return {sentence, kind_of(masked, asks), asks, has_details(masked)};
}

/// Whether what was said before sentence `i` is something that the agent is about to do.
bool follows_plan(const std::vector<said>& all, size_t i) {
  while (i > 0) {
    --i;
    if (all[i].kind == "plan" || all[i].kind == "recap" || all[i].kind == "confirm")
      return true;
    if (all[i].kind == "found" || all[i].kind == "choice")
      return false;
  }
  return false;
}

std::optional<waiting_kind> kind_asked_by(const std::vector<said>& all, size_t i) {
  const auto& one = all[i];
  if (one.kind == "confirm" || one.kind == "recap")
    return waiting_kind::confirm;
  if (one.kind == "inputs")
    return waiting_kind::inputs;
  if (one.kind == "act" || one.kind == "choice")
    return waiting_kind::choice;
  if (one.kind == "fits" && one.asks)
    return follows_plan(all, i) ? waiting_kind::confirm : waiting_kind::choice;
  return std::nullopt;
}

} // namespace

response_reading read_response(std::string_view response) {
  std::vector<said> all;
  for (auto sentence : sentences_of(response))
    all.push_back(reading_of(sentence));
  response_reading result;
  for (size_t i = 0; i < all.size(); ++i) {
    result.tells_success = result.tells_success || all[i].kind == "done";
    result.tells_failure = result.tells_failure || all[i].kind == "failed";
    auto kind = kind_asked_by(all, i);
    if (!kind)
      continue;
    if (result.waits != waiting_kind::confirm)
      result.waits = kind;
    result.question.append(result.question.empty() ? "" : " ").append(all[i].text);
  }
  return result;
}

} // namespace scratchpage
