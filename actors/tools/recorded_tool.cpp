#include "scratchpage/actors/tools/recorded_tool.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/base/seeded.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"

namespace scratchpage {

namespace {

/// "call_3" of "turn_1/call_3".
std::string_view call_of(std::string_view request_id) {
  auto slash = request_id.rfind('/');
  return slash == std::string_view::npos ? request_id : request_id.substr(slash + 1);
}

template <class Map, class Key>
size_t value_or_zero(const Map& map, const Key& key) {
  auto i = map.find(key);
  return i != map.end() ? i->second : 0;
}

const recorded_fault* matching(const std::vector<recorded_fault>& faults, uint32_t attempt) {
  auto matches = [attempt](const recorded_fault& x) {
    return x.on_attempt == 0 || x.on_attempt == attempt;
  };
  auto i = std::ranges::find_if(faults, matches);
  return i != faults.end() ? &*i : nullptr;
}

tool_response nothing_recorded(const tool_request& request) {
  tool_response result;
  result.request_id = request.request_id;
  result.status = tool_status::partial;
  result.outputs["note"] = "nothing was recorded for this call";
  return result;
}

void add_malformed_writes(tool_response& response, const recorded_fault& fault) {
  auto& writes = response.scratch_page_writes;
  writes.insert(writes.end(), fault.scratch_page_writes.begin(), fault.scratch_page_writes.end());
  if (!fault.scratch_page_writes.empty())
    return;
  writes.emplace_back(json::object{{"type", "no_such_type"}, {"content", "of an unknown type"}});
  writes.emplace_back("not even an object");
}

} // namespace

recorded_answers::recorded_answers(tool_manifest manifest, recorded_tool recording, uint64_t seed)
  : manifest_{std::move(manifest)},
    recording_{std::move(recording)},
    seed_{seed} {
  for (size_t i = 0; i < recording_.responses.size(); ++i) {
    const auto& call = recording_.responses[i].call_id;
    (call.empty() ? in_order_ : by_call_[call]).push_back(i);
  }
}

recorded_answer recorded_answers::next(const tool_request& request) {
  const auto* recorded = peek(request);
  const auto* fault = fault_for(request, recorded);
  if (fault != nullptr && fault->fault != fault_kind::malformed_writes)
    return faulty(request, *fault);
  if (recorded == nullptr)
    return {nothing_recorded(request)};
  use_up(request);
  recorded_answer result;
  result.response.request_id = request.request_id;
  result.response.status = recorded->status;
  result.response.outputs = recorded->outputs;
  result.response.observations = recorded->observations;
  result.response.scratch_page_writes = recorded->scratch_page_writes;
  result.response.memory_writes = recorded->memory_writes;
  result.response.scratch_page_context = request.scratch_page_context;
  result.latency = latency_of(request, *recorded);
  if (fault != nullptr)
    add_malformed_writes(result.response, *fault);
  return result;
}

/// The answer for `request`, if there is one. Of several for one call, each
/// request gets the next, a retry the same again, and who comes later the last.
/// Without a name answers are given in order, to a retry too.
const recorded_response* recorded_answers::peek(const tool_request& request) {
  if (const auto* list = named(request.request_id)) {
    auto place = place_of_.find(request.request_id);
    auto next = place != place_of_.end()
                  ? place->second
                  : value_or_zero(used_by_call_, call_of(request.request_id));
    return &recording_.responses[(*list)[std::min(next, list->size() - 1)]];
  }
  if (used_in_order_ < in_order_.size())
    return &recording_.responses[in_order_[used_in_order_]];
  auto again = recording_.after_last == after_last::repeat && !in_order_.empty();
  return again ? &recording_.responses[in_order_.back()] : nullptr;
}

void recorded_answers::use_up(const tool_request& request) {
  const auto* list = named(request.request_id);
  if (list == nullptr) {
    used_in_order_ = std::min(used_in_order_ + 1, in_order_.size());
    return;
  }
  // Remembered only while there is a next one: bounded by what was recorded.
  auto& used = used_by_call_[std::string{call_of(request.request_id)}];
  if (used + 1 < list->size() && place_of_.try_emplace(request.request_id, used).second)
    ++used;
}

const recorded_answers::response_list* recorded_answers::named(
  const std::string& request_id) const {
  auto i = by_call_.find(request_id);
  if (i == by_call_.end())
    i = by_call_.find(call_of(request_id));
  return i != by_call_.end() ? &i->second : nullptr;
}

const recorded_fault* recorded_answers::fault_for(
  const tool_request& request, const recorded_response* recorded) const {
  if (recorded != nullptr)
    if (const auto* own = matching(recorded->faults, request.attempt))
      return own;
  return matching(recording_.faults, request.attempt);
}

recorded_answer recorded_answers::faulty(
  const tool_request& request, const recorded_fault& fault) const {
  if (fault.fault == fault_kind::error) {
    const auto* text = fault.error.empty() ? "injected fault" : fault.error.c_str();
    recorded_answer result{{}, span_of(fault.latency_ms.value_or(0))};
    result.response.request_id = request.request_id;
    result.response.status = tool_status::error;
    result.response.outputs["error"] = text;
    return result;
  }
  auto timeout = call_timeout(request, manifest_);
  auto late = fault.latency_ms ? span_of(*fault.latency_ms) : timeout + std::chrono::seconds{1};
  return {timed_out_call(request, timeout), late};
}

timespan recorded_answers::latency_of(
  const tool_request& request, const recorded_response& recorded) const {
  if (recorded.latency_ms)
    return span_of(*recorded.latency_ms);
  const auto& range = recorded.latency ? *recorded.latency : recording_.latency;
  auto width = static_cast<uint64_t>(std::max(0.0, std::floor(range.max_ms - range.min_ms)));
  if (width == 0)
    return span_of(range.min_ms);
  auto dice = mix(mix(mix(seed_, manifest_.tool_id), request.request_id) + request.attempt);
  return span_of(range.min_ms + static_cast<double>(dice % (width + 1)));
}

// -- the actor ----------------------------------------------------------------------

recorded_tool_state::recorded_tool_state(
  handle::pointer self, tool_manifest manifest, recorded_tool recording, uint64_t seed)
  : self_{self},
    max_pending_{recording.max_pending},
    answers_{std::move(manifest), std::move(recording), seed} {}

recorded_tool_state::handle::behavior_type recorded_tool_state::make_behavior() {
  return {[this](const tool_request& x) { return call(x); }};
}

caf::result<tool_response> recorded_tool_state::call(const tool_request& request) {
  if (pending_.size() >= max_pending_)
    return overloaded_call(request, max_pending_);
  auto answer = answers_.next(request);
  if (answer.latency.count() == 0)
    return std::move(answer.response);
  auto number = ++last_;
  auto promise = self_->make_response_promise<tool_response>();
  pending_.emplace(number, promise);
  self_->run_delayed(
    answer.latency, [this, number, response = std::move(answer.response)]() mutable {
      auto node = pending_.extract(number);
      node.mapped().deliver(std::move(response));
    });
  return promise;
}

} // namespace scratchpage
