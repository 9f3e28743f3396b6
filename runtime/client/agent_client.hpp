#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/client/subscription.hpp"

namespace scratchpage {

/// One agent for somebody who waits for its answers, wherever it lives: in this process
/// or behind a connection, which know who asks.
class agent_client {
public:
  virtual ~agent_client() = default;

  /// Gets the answer's JSON.
  using on_answer = std::function<void(caf::expected<std::string>)>;

  /// Makes an operation; `then` is called once, on some thread that it must not block.
  /// From any thread.
  virtual void start(std::string operation, json::object arguments, on_answer then) = 0;

  /// As above, and waits for its end: half a minute, or as long as a turn takes.
  caf::expected<json::value> call(std::string operation, json::object arguments);

  /// Waits until what follows from the changes so far is kept, too, if this process
  /// has the agent. Not longer than that: `deadline_exceeded`.
  virtual caf::error settle(timespan within) = 0;

  /// Tells of what happens on the page from here on, whoever has it meanwhile: nothing
  /// is left out, and nothing is told twice. Waits until that has begun. Only after
  /// `lagged`, which is of what nobody remembers, may a `current` come again. Errors: as
  /// those of `on_end`.
  virtual caf::expected<std::unique_ptr<subscription>> follow(
    follow_order order, event_listener tell) = 0;

  /// What recovery had to cut off, for people; "": nothing.
  virtual std::string damage() const = 0;

  /// As `call`, with what it answers.
  template <class T>
  caf::expected<T> call_for(std::string operation, json::object arguments) {
    auto result = call(std::move(operation), std::move(arguments));
    if (!result)
      return result.error();
    return read_answer<T>(std::move(*result));
  }
};

} // namespace scratchpage
