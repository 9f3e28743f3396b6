#include "scratchpage/actors/policies/evaluation_policy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/call_substitution.hpp"
#include "scratchpage/actors/policies/turn_reading.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_error_text = 160; // bytes of an error within a sentence
constexpr size_t max_sent_back = 20;   // observations sent back that the reasons name

std::string counted(size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

bool failed(const std::vector<call_record>& calls, const std::string& tool_id) {
  bool result = false;
  for (const auto& call : calls)
    if (call.tool_id == tool_id)
      result = call.outcome != call_outcome::succeeded;
  return result;
}

/// How a call that did not succeed ended, for people.
std::string ending_of(call_outcome x) {
  return x == call_outcome::skipped      ? "was skipped"
         : x == call_outcome::unanswered ? "has no result"
                                         : "failed";
}

std::string what_ran(const evaluation_input& turn) {
  auto calls = counted(turn.calls.size(), "call");
  return turn.parallel ? "parallel execution of " + calls : calls;
}

std::string took(const evaluation_input& turn) {
  return " in " + std::to_string(std::llround(turn.duration_ms)) + "ms";
}

struct tally {
  size_t succeeded = 0;
  size_t not_settled = 0;
};

std::string summary_of(
  const evaluation_input& turn, const evaluation& result, const tally& counts) {
  switch (result.outcome) {
  case evaluation_outcome::more_work:
    return "More work: " + joined(result.reasons, "; ");
  case evaluation_outcome::waiting:
    return "Waiting: " + joined(result.reasons, "; ");
  case evaluation_outcome::failed:
    return "Failed: " + joined(result.reasons, "; ");
  case evaluation_outcome::unjudged:
    return "Not judged: " + joined(result.reasons, "; ");
  case evaluation_outcome::complete:
    break;
  }
  if (turn.calls.empty())
    return "Complete: nothing had to be executed";
  if (counts.succeeded == turn.calls.size())
    return "Complete: " + what_ran(turn) + " succeeded" + took(turn);
  return "Complete: " + std::to_string(counts.succeeded) + " of " + what_ran(turn) + " succeeded"
         + took(turn) + ", the rest is settled";
}

/// What is waited for, and what was given up, take the place of what is left to do.
void add_reading(evaluation& result, turn_reading found) {
  if (found.outcome == evaluation_outcome::complete)
    return;
  if (result.outcome == evaluation_outcome::complete
      || found.outcome != evaluation_outcome::more_work)
    result.outcome = found.outcome;
  for (auto& one : found.reasons)
    result.reasons.push_back(std::move(one));
}

} // namespace

caf::error validate(const evaluation_config& x, std::string_view path) {
  return config_check{path}
    .range("review_min_confidence", x.review_min_confidence, 0, 1)
    .range("complete_confidence", x.complete_confidence, 0, 1)
    .range("partial_confidence", x.partial_confidence, 0, 1)
    .range("talk_confidence", x.talk_confidence, 0, 1)
    .range("more_work_confidence", x.more_work_confidence, 0, 1)
    .error();
}

evaluation evaluation_policy::evaluate(const evaluation_input& turn) const {
  evaluation result;
  tally counts;
  bool retried = false;
  auto open = [&](std::string reason) {
    result.outcome = evaluation_outcome::more_work;
    result.reasons.push_back(std::move(reason));
  };
  if (!turn.is_known)
    open("what was done in the turn is not known");
  for (size_t i = 0; i < turn.calls.size(); ++i) {
    const auto& call = turn.calls[i];
    counts.succeeded += call.outcome == call_outcome::succeeded;
    retried = retried || call.attempts > 1;
    if (call.outcome == call_outcome::succeeded || is_settled(call) || is_made_up_for(turn, i))
      continue;
    open(call.call_id + " (" + call.tool_id + ") " + ending_of(call.outcome)
         + (call.error.empty() ? "" : ": " + utf8::shortened(call.error, max_error_text)));
  }
  if (!turn.open_questions.empty())
    open(counted(turn.open_questions.size(), "question") + " to the user");
  for (const auto& one : turn.unheard)
    open(one);
  size_t sent_back = 0;
  for (const auto& one : turn.pending_review) {
    if (!one)
      continue;
    result.reviews.push_back(judge(*one, turn));
    if (result.reviews.back().decision == review_decision::send_back
        && ++sent_back <= max_sent_back)
      open(one->observation_id + " was sent back: " + result.reviews.back().reason);
  }
  if (sent_back > max_sent_back)
    open(std::to_string(sent_back - max_sent_back) + " more were sent back");
  add_reading(result, read_whole_turn(turn));
  auto clean = counts.succeeded == turn.calls.size() && !retried;
  result.confidence = result.outcome != evaluation_outcome::complete ? config_.more_work_confidence
                      : turn.calls.empty()                           ? config_.talk_confidence
                      : clean                                        ? config_.complete_confidence
                                                                     : config_.partial_confidence;
  result.summary = summary_of(turn, result, counts);
  if (result.reasons.empty())
    result.reasons.push_back(
      turn.calls.empty() ? "nothing was planned" : "what was asked was done");
  return result;
}

bool evaluation_policy::is_settled(const call_record& call) const {
  return call.outcome == call_outcome::failed && call.action
         && std::find(config_.settled_by.begin(), config_.settled_by.end(), *call.action)
              != config_.settled_by.end();
}

review evaluation_policy::judge(const observation& x, const evaluation_input& turn) const {
  if (x.source.kind == source_kind::tool && failed(turn.calls, x.source.name))
    return {x.observation_id, review_decision::send_back, x.source.name + " failed in this turn"};
  if (x.confidence < config_.review_min_confidence)
    return {x.observation_id, review_decision::send_back,
      "its confidence " + to_text(json::value(x.confidence)) + " is below "
        + to_text(json::value(config_.review_min_confidence))};
  return {x.observation_id, review_decision::resolve, "no reason to send it back"};
}

} // namespace scratchpage
