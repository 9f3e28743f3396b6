#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/handles.hpp"

/// Actors that tests use as neighbours of a page. Each has the whole interface of the actor that it
/// replaces, and answers unexpected messages with an error.

namespace scratchpage::test {

/// What a probe does with a batch.
enum class manner { acknowledge, hold_back, refuse };

/// The number in the id of the observation, without leading zeros.
std::string number_of(const observation& x);

/// The event as a line: the sequence, the kind, and the observation's number or, for `lagged`, how
/// many changes were missed: "4 updated 2".
std::string line_of(const page_event& x);

/// What a probe received, and how it answers. The probe and its test share it.
struct probe_log {
  manner with = manner::acknowledge;
  std::deque<manner> first = {}; ///< for the next batches, one each; `with` is for later ones
  std::vector<std::string> agents;
  std::vector<size_t> batches; ///< their sizes
  std::vector<page_event> events;
  size_t unanswered = 0;
  size_t most_unanswered = 0;

  std::vector<std::string> lines() const;
};

using probe_actor = subscriber_actor::extend<
  // Acknowledge the batches that were held back.
  caf::result<void>(caf::tick_atom)>;

/// A subscriber that writes the events that it receives to a log.
class probe_state {
public:
  using handle = probe_actor;
  static constexpr const char* name = "probe";

  probe_state(handle::pointer self, std::shared_ptr<probe_log> log)
    : self_{self},
      log_{std::move(log)} {}

  handle::behavior_type make_behavior();

private:
  caf::result<void> take(event_batch& x);

  handle::pointer self_;
  std::shared_ptr<probe_log> log_;
  std::vector<caf::typed_response_promise<void>> held_back_;
};

struct probe {
  std::shared_ptr<probe_log> log;
  probe_actor handle;

  std::vector<std::string> lines() const { return log->lines(); }
};

/// The requests of a daemon to its page about turns.
using worker_actor = caf::typed_actor<caf::result<void>(hold_turn), caf::result<void>(release_turn),
  caf::result<void>(await_quiet)>;

/// Forwards requests to the page, so that the page sees all of them come from this one actor.
class worker_state {
public:
  using handle = worker_actor;
  static constexpr const char* name = "worker";

  worker_state(handle::pointer self, scratch_page_actor page)
    : self_{self},
      page_{std::move(page)} {}

  handle::behavior_type make_behavior();

private:
  template <class Request>
  caf::result<void> pass_on(const Request& x);

  handle::pointer self_;
  scratch_page_actor page_;
};

/// The ids that a `cortex_stub` was offered, and how it answers.
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

  handle::behavior_type make_behavior();

private:
  caf::result<promotion_report> take(const promotion_batch& x);

  handle::pointer self_;
  std::shared_ptr<cortex_log> log_;
  std::vector<caf::typed_response_promise<promotion_report>> held_back_;
};

} // namespace scratchpage::test
