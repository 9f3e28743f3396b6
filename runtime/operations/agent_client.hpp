#pragma once

#include <string>
#include <utility>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/operation.hpp"
#include "scratchpage/runtime/operations/operation_answers.hpp"

namespace scratchpage {

/// One agent for whoever waits for its answers, wherever it lives: in this process or
/// behind a connection.
class agent_client {
public:
  virtual ~agent_client() = default;

  /// Makes an operation and waits for its end, a minute or as long as a turn takes.
  virtual caf::expected<json::value> call(call_operation request) = 0;

  /// Waits until what follows from the changes so far is kept, too, if this process
  /// has the agent. Not longer than ten seconds: `deadline_exceeded`.
  virtual caf::error settle() = 0;

  /// What recovery had to cut off, for people; "": nothing.
  virtual std::string damage() const = 0;

  /// As `call`, with what it answers.
  template <class T>
  caf::expected<T> call_for(call_operation request) {
    auto result = call(std::move(request));
    if (!result)
      return result.error();
    return read_answer<T>(std::move(*result));
  }
};

} // namespace scratchpage
