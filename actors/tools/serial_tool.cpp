#include "scratchpage/actors/tools/serial_tool.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

serial_tool_state::serial_tool_state(
  handle::pointer self, tool_manifest manifest, size_t max_queued, serial_worker worker)
  : self_{self},
    manifest_{std::move(manifest)},
    max_queued_{max_queued},
    worker_{std::move(worker)} {
  self_->link_to(worker_.actor);
}

serial_tool_state::~serial_tool_state() {
  // The worker may be in the middle of a call and not look at its mailbox.
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
  auto number = running_ = waiting_.front();
  waiting_.pop_front();
  const auto& request = calls_.at(number).request;
  // No timeout here: a worker that is late is still busy. The asker is answered
  // by the call's own timer.
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
}

void serial_tool_state::on_deadline(uint64_t number) {
  if (number == running_ && worker_.cancel) {
    worker_.cancel();
    return; // the worker's own answer says more
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
