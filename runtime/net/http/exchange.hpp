#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::http {

/// Something that is written piece by piece while it lasts: a body of server-sent
/// events, or a WebSocket. All of it may be called from any thread.
class stream {
public:
  virtual ~stream() = default;

  /// Writes one piece, after all that came before it; a message if this is a
  /// WebSocket. `then` is called once: true when the system has taken the piece,
  /// false if it never will. Whoever waits for that before the next piece has at most
  /// one of them in memory, however slow the reader.
  virtual void write(std::string piece, std::function<void(bool)> then) = 0;

  /// Ends it after what was written.
  virtual void close() = 0;

  /// Ends it at once: what waits is never written.
  virtual void cut_off() { close(); }

  /// Called once when it has ended, whoever ended it; at once if it has already.
  virtual void on_end(std::function<void()> then) = 0;

  /// A WebSocket's messages, one after the other, once each. Never called otherwise.
  virtual void on_message(std::function<void(std::string)> then) = 0;
};

/// What a server that is about to stop does with a stream: end it after what was written,
/// or wait for its end as for an answer.
enum class at_drain : uint8_t { end, wait };

/// One request's way back. It is answered by one of the three, once; dropped without
/// an answer it answers 503. All of it may be called from any thread.
class exchange {
public:
  virtual ~exchange() = default;

  virtual void respond(response answer) = 0;

  /// Sends the head at once; the body follows in pieces.
  virtual std::shared_ptr<stream> begin_stream(response head, at_drain then) = 0;

  /// As above, one that a drain ends.
  std::shared_ptr<stream> begin_stream(response head) {
    return begin_stream(std::move(head), at_drain::end);
  }

  /// Makes the connection a WebSocket (RFC 6455); null if the request asks for none,
  /// and then the exchange still waits for its answer.
  virtual std::shared_ptr<stream> accept_websocket() = 0;

  /// Called once if the client goes away before the answer is written.
  virtual void on_gone(std::function<void()> then) = 0;
};

/// Answers requests. Called on a thread of the server's, which it must not block.
using handler = std::function<void(request, std::shared_ptr<exchange>)>;

} // namespace scratchpage::http
