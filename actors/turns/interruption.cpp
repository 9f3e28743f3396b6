#include "scratchpage/actors/turns/interruption.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

namespace {

constexpr const char* mark = "interrupted";

std::string name_of_call(const call_record& x) {
  return x.call_id.empty() ? x.tool_id : x.tool_id + " (" + x.call_id + ")";
}

} // namespace

observation_filter filter_of_interruptions() {
  observation_filter result;
  result.type = {"observation"};
  result.tags = {mark};
  return result;
}

bool is_interruption(const observation& x) {
  const auto* told = x.metadata.if_contains(mark);
  return told != nullptr && told->is_bool() && told->get_bool() && is_of_ensemble(x.source)
         && x.source.name == "turns";
}

observation_ptr interruption_of(const std::vector<observation_ptr>& turn) {
  auto found =
    std::find_if(turn.begin(), turn.end(), [](const auto& x) { return is_interruption(*x); });
  return found == turn.end() ? observation_ptr{} : *found;
}

void call_unanswered(std::vector<call_record>& calls) {
  for (auto& x : calls)
    if (x.outcome == call_outcome::skipped)
      x.outcome = call_outcome::unanswered;
}

observation_draft interruption_draft(
  const std::vector<observation_ptr>& turn, const observation& input) {
  auto calls = calls_of(turn);
  call_unanswered(calls);
  json::array unanswered;
  std::string names;
  for (const auto& x : calls) {
    if (x.outcome != call_outcome::unanswered)
      continue;
    unanswered.push_back({{"call_id", x.call_id}, {"tool_id", x.tool_id}});
    names += (names.empty() ? "" : ", ") + name_of_call(x);
  }
  observation_draft result;
  result.type = "observation";
  result.content = "The process that ran the turn has ended, and another one goes on with it.";
  if (!names.empty())
    result.content += " No result is known of " + names + ".";
  result.confidence = 1.0;
  result.tags = {mark};
  result.context = context_about(input);
  result.metadata = {{mark, true}, {"calls_without_result", std::move(unanswered)}};
  return result;
}

} // namespace scratchpage
