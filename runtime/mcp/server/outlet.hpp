#pragma once

#include <functional>
#include <string>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage::mcp {

/// The way back of one request, or of what nobody asked for. Used on the server's
/// strand.
class outlet {
public:
  virtual ~outlet() = default;

  /// A notification or a question, before the answer.
  virtual void send(const json::object& message) = 0;

  /// The answer, which is the last.
  virtual void finish(const json::object& answer) = 0;

  /// As above, of an answer with a result: its JSON.
  virtual void finish(std::string answer) = 0;

  /// There will be no answer.
  virtual void end() = 0;

  /// The answer may never come, and messages at any time: nobody waits for its end. Said
  /// before the first of them.
  virtual void stay_open() {}

  /// Called once on the strand, if the client goes away and waits no longer.
  virtual void on_gone(std::function<void()> then) = 0;
};

} // namespace scratchpage::mcp
