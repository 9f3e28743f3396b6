#include "scratchpage/tests/scenarios/page/probe.hpp"

#include <algorithm>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/support/stub_behavior.hpp"

namespace scratchpage::test {

std::string number_of(const observation& x) {
  return std::to_string(std::stoull(x.observation_id.substr(x.observation_id.rfind('_') + 1)));
}

std::string line_of(const page_event& x) {
  auto result = std::to_string(x.sequence) + " " + to_string(x.kind) + " ";
  return result + (x.observation ? number_of(*x.observation) : std::to_string(x.missed));
}

std::vector<std::string> probe_log::lines() const {
  std::vector<std::string> result;
  for (const auto& x : events)
    result.push_back(line_of(x));
  return result;
}

probe_state::handle::behavior_type probe_state::make_behavior() {
  return {
    [this](event_batch& x) { return take(x); },
    [this](caf::tick_atom) {
      log_->unanswered = 0;
      for (auto& promise : std::exchange(held_back_, {}))
        promise.deliver();
    },
  };
}

caf::result<void> probe_state::take(event_batch& x) {
  log_->agents.push_back(x.agent_id);
  log_->batches.push_back(x.events.size());
  log_->events.insert(log_->events.end(), x.events.begin(), x.events.end());
  auto how = log_->with;
  if (!log_->first.empty()) {
    how = log_->first.front();
    log_->first.pop_front();
  }
  log_->most_unanswered = std::max(log_->most_unanswered, log_->unanswered + 1);
  if (how == manner::acknowledge)
    return caf::unit;
  if (how == manner::refuse)
    return fail(errc::internal, "", "a probe that is not told to refuse");
  ++log_->unanswered;
  held_back_.push_back(self_->make_response_promise<void>());
  return held_back_.back();
}

worker_state::handle::behavior_type worker_state::make_behavior() {
  return {
    [this](const hold_turn& x) { return pass_on(x); },
    [this](const release_turn& x) { return pass_on(x); },
    [this](const await_quiet& x) { return pass_on(x); },
  };
}

template <class Request>
caf::result<void> worker_state::pass_on(const Request& x) {
  auto promise = self_->make_response_promise<void>();
  ask(self_, page_, caf::infinite, x)
    .then([promise]() mutable { promise.deliver(); },
      [promise](caf::error& err) mutable { promise.deliver(std::move(err)); });
  return promise;
}

cortex_stub::handle::behavior_type cortex_stub::make_behavior() {
  return stub_behavior<handle>([this](const promotion_batch& x) { return take(x); });
}

caf::result<promotion_report> cortex_stub::take(const promotion_batch& x) {
  auto& ids = log_->offered.emplace_back();
  for (const auto& one : x.candidates)
    ids.push_back(one.observation->observation_id);
  if (!log_->hold_back)
    return promotion_report{log_->again};
  held_back_.push_back(self_->make_response_promise<promotion_report>());
  return held_back_.back();
}

} // namespace scratchpage::test
