#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::mcp {

/// Messages as server-sent events on the answer to one request. Used on the strand.
/// A client that does not read loses its stream, not its messages one by one.
class event_stream : public std::enable_shared_from_this<event_stream> {
public:
  static constexpr size_t most_waiting_bytes = size_t{4} << 20;
  static constexpr timespan pause_between_comments = std::chrono::seconds{15};

  /// Sends the head at once. `then`: whether the stream comes to an end by itself.
  static std::shared_ptr<event_stream> begin(std::shared_ptr<strand> on, http::exchange& by,
    http::at_drain then, std::function<void()> on_end);

  void send(const json::object& message);
  void send(std::string_view message); ///< its JSON

  /// Ends it after what was sent.
  void close();

  bool is_open() const { return !closing_; }

private:
  void put(std::string piece);
  void write_next();
  void keep_alive();

  std::shared_ptr<strand> on_;
  std::shared_ptr<http::stream> to_;
  std::deque<std::string> waiting_; // its first one is being written
  size_t waiting_bytes_ = 0;
  bool wrote_ = true; // since the last comment was due
  bool closing_ = false;
};

} // namespace scratchpage::mcp
