#include "scratchpage/actors/tools/tool_actors.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string_view>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/base/seeded.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"

namespace scratchpage {

namespace {

child_limits limits_of(const process_tool& x) {
  child_limits result;
  result.max_line_bytes = x.max_line_bytes;
  result.grace = x.grace;
  result.min_backoff = x.min_backoff;
  result.max_backoff = x.max_backoff;
  return result;
}

tool_failure class_of(child_failure why) {
  switch (why) {
  case child_failure::timed_out:
    return tool_failure::timeout;
  case child_failure::died:
  case child_failure::stopped:
    return tool_failure::transient;
  default:
    return tool_failure::other;
  }
}

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

function_tool_state::function_tool_state(handle::pointer, std::string tool_id, tool_function call)
  : tool_id_{std::move(tool_id)},
    call_{std::move(call)} {}

function_tool_state::handle::behavior_type function_tool_state::make_behavior() {
  return {[this](const tool_request& x) { return call(x); }};
}

tool_response function_tool_state::call(const tool_request& request) const {
  try {
    auto response = call_(request);
    response.request_id = request.request_id;
    return response;
  } catch (const std::exception& e) {
    return failed_call(
      request, tool_failure::other, tool_id_ + " failed: " + printable(e.what(), 1000));
  } catch (...) {
    return failed_call(
      request, tool_failure::other, tool_id_ + " failed with an exception of an unknown type");
  }
}

process_tool_state::process_tool_state(handle::pointer, tool_manifest manifest,
  const process_tool& tool, std::shared_ptr<child_interrupt> interrupt)
  : manifest_{std::move(manifest)},
    max_line_bytes_{tool.max_line_bytes},
    child_{
      {tool.command, tool.env, tool.working_directory}, limits_of(tool), std::move(interrupt)} {}

process_tool_state::handle::behavior_type process_tool_state::make_behavior() {
  return {[this](tool_request& x) { return call(x); }};
}

tool_response process_tool_state::call(tool_request& request) {
  auto by = child_process::deadline_in(call_timeout(request, manifest_));
  request.thread_id.clear(); // programs are not told whose request it is
  request.planned_by.clear();
  auto line = to_text(to_json(request));
  auto reply = child_.exchange(line, by);
  if (reply.failure == child_failure::died && (manifest_.idempotent || reply.untouched))
    reply = child_.exchange(std::move(line), by);
  if (reply.failure == child_failure::none)
    return read_answer(request, reply.line);
  return failure(request, class_of(reply.failure), reply.error);
}

tool_response process_tool_state::read_answer(
  const tool_request& request, const std::string& line) {
  auto response = from_json_text<tool_response>(line, {.max_bytes = max_line_bytes_});
  if (response && response->request_id == request.request_id)
    return std::move(*response);
  // The rest of its output would be taken for the answer to the next request.
  child_.end();
  if (!response)
    return failure(request, tool_failure::other,
      "gave an answer that is not a tool response (" + describe(response.error())
        + "): " + printable(line));
  return failure(request, tool_failure::other,
    "answered request " + printable(response->request_id) + " instead of " + request.request_id);
}

tool_response process_tool_state::failure(
  const tool_request& request, tool_failure why, const std::string& text) const {
  auto full = manifest_.tool_id + " " + text;
  if (auto tail = child_.stderr_tail(); !tail.empty())
    full += "; its standard error ends with: "
            + printable(tail.substr(tail.size() - std::min<size_t>(tail.size(), 500)), 1000);
  return failed_call(request, why, full);
}

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

/// The answer for `request`, or null. If a call id has several answers, each request id gets the
/// next one, a retry gets the same one again, and later requests get the last one. Answers without
/// a call id are given in order, also to retries.
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
  // An entry is needed only while there is a next answer, so the recording bounds their number.
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

serial_tool_state::serial_tool_state(handle::pointer self, tool_manifest manifest,
  size_t max_queued, serial_worker worker, work_count work)
  : self_{self},
    manifest_{std::move(manifest)},
    max_queued_{max_queued},
    worker_{std::move(worker)},
    works_{std::move(work)} {
  self_->link_to(worker_.actor);
}

serial_tool_state::~serial_tool_state() {
  // The worker may be in a call, and then it does not read its mailbox.
  if (worker_.stop)
    worker_.stop();
}

serial_tool_state::handle::behavior_type serial_tool_state::make_behavior() {
  return {[this](tool_request& x) { return accept(std::move(x)); }};
}

caf::result<tool_response> serial_tool_state::accept(tool_request request) {
  if (waiting_.size() >= max_queued_ && running_ != 0)
    return overloaded_call(request, max_queued_);
  auto number = ++last_;
  auto& added = calls_[number];
  added.answer = self_->make_response_promise<tool_response>();
  added.timer =
    self_->run_delayed(call_timeout(request, manifest_), [this, number] { on_deadline(number); });
  added.request = std::move(request);
  waiting_.push_back(number);
  auto result = added.answer;
  start_next();
  return result;
}

void serial_tool_state::start_next() {
  if (running_ != 0 || waiting_.empty())
    return;
  works_.set(true);
  auto number = running_ = waiting_.front();
  waiting_.pop_front();
  const auto& request = calls_.at(number).request;
  // Without a timeout: a worker that is late is still busy. The call's own timer answers it in
  // time.
  ask(self_, worker_.actor, caf::infinite, request)
    .then([this, number](tool_response& x) { on_answer(number, std::move(x)); },
      [this, number, request](const caf::error& err) {
        on_answer(number, failed_call(request, tool_failure::other, describe(err)));
      });
}

void serial_tool_state::on_answer(uint64_t number, tool_response response) {
  running_ = 0;
  answer(number, std::move(response));
  start_next();
  works_.set(running_ != 0);
}

void serial_tool_state::on_deadline(uint64_t number) {
  if (number == running_ && worker_.cancel) {
    worker_.cancel();
    return; // the worker answers, with more details
  }
  std::erase(waiting_, number);
  if (auto i = calls_.find(number); i != calls_.end()) {
    const auto& request = i->second.request;
    answer(number, timed_out_call(request, call_timeout(request, manifest_)));
  }
}

void serial_tool_state::answer(uint64_t number, tool_response response) {
  auto i = calls_.find(number);
  if (i == calls_.end())
    return; // it was answered at its deadline
  i->second.timer.dispose();
  i->second.answer.deliver(std::move(response));
  calls_.erase(i);
}

} // namespace scratchpage
