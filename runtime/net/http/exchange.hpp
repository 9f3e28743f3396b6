#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::http {

/// An answer that is written piece by piece: a body of server-sent events, or a WebSocket. All of
/// it may be called from any thread.
class stream {
public:
  virtual ~stream() = default;

  /// Writes one piece after all earlier ones; on a WebSocket, a piece is a message. `then` is
  /// called once: with true when the system has taken the piece, with false if it never will. A
  /// writer that waits for that before the next piece has at most one piece in memory, however slow
  /// the reader.
  virtual void write(std::string piece, std::function<void(bool)> then) = 0;

  /// Ends the stream after the pieces that were written.
  virtual void close() = 0;

  /// Ends the stream at once: pieces that wait are not sent.
  virtual void cut_off() { close(); }

  /// `then` is called once when the stream has ended, at once if it has already.
  virtual void on_end(std::function<void()> then) = 0;

  /// `then` is called for each message of a WebSocket, one after the other.
  virtual void on_message(std::function<void(std::string)> then) = 0;
};

/// What a server that is about to stop does with a stream: it ends the stream after the pieces that
/// were written, or waits for its end as for an answer.
enum class at_drain : uint8_t { end, wait };

/// Answers one request, by exactly one of `respond`, `begin_stream` and `accept_websocket`. If it
/// is destroyed without an answer, the client gets 503. All of it may be called from any thread.
class exchange {
public:
  virtual ~exchange() = default;

  virtual void respond(response answer) = 0;

  /// Sends the head at once; the body follows in the stream's pieces.
  virtual std::shared_ptr<stream> begin_stream(response head, at_drain then) = 0;

  /// As above, for a stream that ends when the server drains.
  std::shared_ptr<stream> begin_stream(response head) {
    return begin_stream(std::move(head), at_drain::end);
  }

  /// Makes the connection a WebSocket (RFC 6455). Null if the request does not ask for one: the
  /// exchange still waits for its answer then.
  virtual std::shared_ptr<stream> accept_websocket() = 0;

  /// `then` is called once if the client disconnects before the answer is written.
  virtual void on_gone(std::function<void()> then) = 0;
};

/// Answers requests. Called on a thread of the server, which it must not block.
using handler = std::function<void(request, std::shared_ptr<exchange>)>;

} // namespace scratchpage::http
