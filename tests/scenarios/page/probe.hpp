#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/tests/support/stub_behavior.hpp"

/// Actors that stand around a page in tests. Each has the whole interface of
/// what it stands for, and refuses what it does not expect.

namespace scratchpage::test {

/// What a probe does with a batch.
enum class manner { acknowledge, hold_back, refuse };

/// The n of an id, without leading zeros.
inline std::string number_of(const observation& x) {
  return std::to_string(std::stoull(x.observation_id.substr(x.observation_id.rfind('_') + 1)));
}

/// "4 updated 2": the sequence, what happened, and to which observation, or
/// how many changes were missed.
inline std::string line_of(const page_event& x) {
  auto result = std::to_string(x.sequence) + " " + to_string(x.kind) + " ";
  return result + (x.observation ? number_of(*x.observation) : std::to_string(x.missed));
}

/// What a probe was told. Shared by the probe and its test.
struct probe_log {
  manner with = manner::acknowledge;
  std::deque<manner> first = {}; ///< for the next batches, before `with` counts
  std::vector<std::string> agents;
  std::vector<size_t> batches; ///< their sizes
  std::vector<page_event> events;
  size_t unanswered = 0;
  size_t most_unanswered = 0;

  std::vector<std::string> lines() const {
    std::vector<std::string> result;
    for (const auto& x : events)
      result.push_back(line_of(x));
    return result;
  }
};

using probe_actor = subscriber_actor::extend<
  // Answer what was held back.
  caf::result<void>(caf::tick_atom)>;

/// A subscriber that writes down what it is told.
class probe_state {
public:
  using handle = probe_actor;
  static constexpr const char* name = "probe";

  probe_state(handle::pointer self, std::shared_ptr<probe_log> log)
    : self_{self},
      log_{std::move(log)} {}

  handle::behavior_type make_behavior() {
    return {
      [this](event_batch& x) { return take(x); },
      [this](caf::tick_atom) {
        log_->unanswered = 0;
        for (auto& promise : std::exchange(held_back_, {}))
          promise.deliver();
      },
    };
  }

private:
  caf::result<void> take(event_batch& x) {
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

  handle::pointer self_;
  std::shared_ptr<probe_log> log_;
  std::vector<caf::typed_response_promise<void>> held_back_;
};

struct probe {
  std::shared_ptr<probe_log> log;
  probe_actor handle;

  std::vector<std::string> lines() const { return log->lines(); }
};

/// What a daemon asks of its page about turns.
using worker_actor = caf::typed_actor<caf::result<void>(hold_turn), caf::result<void>(release_turn),
  caf::result<void>(await_quiet)>;

/// Asks the page what it is asked itself, and lives on: the page sees one actor
/// behind all of it.
class worker_state {
public:
  using handle = worker_actor;
  static constexpr const char* name = "worker";

  worker_state(handle::pointer self, scratch_page_actor page)
    : self_{self},
      page_{std::move(page)} {}

  handle::behavior_type make_behavior() {
    return {
      [this](const hold_turn& x) { return pass_on(x); },
      [this](const release_turn& x) { return pass_on(x); },
      [this](const await_quiet& x) { return pass_on(x); },
    };
  }

private:
  template <class Request>
  caf::result<void> pass_on(const Request& x) {
    auto promise = self_->make_response_promise<void>();
    scratchpage::ask(self_, page_, caf::infinite, x)
      .then([promise]() mutable { promise.deliver(); },
        [promise](caf::error& err) mutable { promise.deliver(std::move(err)); });
    return promise;
  }

  handle::pointer self_;
  scratch_page_actor page_;
};

/// What a Frontal Cortex was offered, and what it answers.
struct cortex_log {
  bool hold_back = false;
  std::vector<std::string> again = {}; ///< ids to be offered again
  std::vector<std::vector<std::string>> offered;
};

/// A Frontal Cortex that makes no goals.
class cortex_stub {
public:
  using handle = frontal_cortex_actor;
  static constexpr const char* name = "cortex_stub";

  cortex_stub(handle::pointer self, std::shared_ptr<cortex_log> log)
    : self_{self},
      log_{std::move(log)} {}

  handle::behavior_type make_behavior() {
    return stub_behavior<handle>([this](const promotion_batch& x) { return take(x); });
  }

private:
  caf::result<promotion_report> take(const promotion_batch& x) {
    auto& ids = log_->offered.emplace_back();
    for (const auto& one : x.candidates)
      ids.push_back(one.observation->observation_id);
    if (!log_->hold_back)
      return promotion_report{log_->again};
    held_back_.push_back(self_->make_response_promise<promotion_report>());
    return held_back_.back();
  }

  handle::pointer self_;
  std::shared_ptr<cortex_log> log_;
  std::vector<caf::typed_response_promise<promotion_report>> held_back_;
};

} // namespace scratchpage::test
