#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"

namespace scratchpage {

/// The events of a page that a client subscribes to.
struct follow_order {
  observation_filter filter;
  /// The id of the last event that is known, EPOCH-SEQUENCE; "now": only future events.
  std::string from = "now";
  timespan timeout = std::chrono::seconds{10}; ///< how long no process may host the agent
};

/// The callbacks of a subscription. They are called on its thread, one at a time. They may block,
/// but must not end the subscription.
struct event_listener {
  /// Gets the events in the order of the changes: `id`, and the members of `page_event`.
  std::function<void(json::object event)> on_event;
  /// Called at most once, after the last event: with `storage_unavailable` if no process hosted the
  /// agent for too long, or with the error with which the agent refuses the subscription.
  std::function<void(const caf::error& why)> on_end;
};

/// A subscription to the events of a page. When it is destroyed, nothing is called any more. It has
/// to end before its client.
class subscription {
public:
  virtual ~subscription() = default;
};

/// Calls the operations of one agent, in this process or behind a connection. The implementation
/// knows the caller.
class agent_client {
public:
  virtual ~agent_client() = default;

  /// Gets the JSON of the answer.
  using on_answer = std::function<void(caf::expected<std::string>)>;

  /// Calls an operation. `then` is called once, on any thread, which it must not block. From any
  /// thread.
  virtual void start(std::string operation, json::object arguments, on_answer then) = 0;

  /// As above, and waits for the answer: half a minute at most, or as long as a turn takes.
  caf::expected<json::value> call(std::string operation, json::object arguments) {
    std::promise<caf::expected<std::string>> answered;
    start(std::move(operation), std::move(arguments),
      [&](caf::expected<std::string> x) { answered.set_value(std::move(x)); });
    return parse_result(answered.get_future().get());
  }

  /// If this process hosts the agent: waits until the daemons have handled all changes so far and
  /// their changes are stored. Error: `deadline_exceeded` after `within`.
  virtual caf::error settle(timespan within) = 0;

  /// Subscribes to the events of the page, and waits until the subscription is confirmed. Every
  /// event is passed on exactly once, even if another process takes over the agent. Only after
  /// `lagged`, when events are lost, may a `current` be repeated. Errors: see `on_end`.
  virtual caf::expected<std::unique_ptr<subscription>> follow(
    follow_order order, event_listener tell) = 0;

  /// The data that recovery had to discard, for people; "": none.
  virtual std::string damage() const = 0;

  /// As `call`, and reads the answer.
  template <class T>
  caf::expected<T> call_for(std::string operation, json::object arguments) {
    auto result = call(std::move(operation), std::move(arguments));
    if (!result)
      return result.error();
    return read_answer<T>(std::move(*result));
  }
};

} // namespace scratchpage
