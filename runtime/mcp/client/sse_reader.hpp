#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/time.hpp"

namespace scratchpage::mcp_client {

/// Reads server-sent events (HTML Living Standard, 9.2) as they arrive, in pieces
/// of any size.
class sse_reader {
public:
  /// `max_bytes`: of one event. `on_data` gets the data of each event that has
  /// some; false ends the reading.
  sse_reader(size_t max_bytes, std::function<bool(std::string data)> on_data);

  /// False once `on_data` wants no more, or an event is too long.
  bool feed(std::string_view piece);

  bool is_too_long() const { return too_long_; }

  /// Of the last event that had one, "" if none had: where to go on after a break.
  const std::string& last_id() const { return last_id_; }

  /// How long the server wants one to wait before that, if it said so.
  const std::optional<timespan>& retry() const { return retry_; }

private:
  bool take_line(std::string_view line);
  bool dispatch();

  size_t max_bytes_;
  std::function<bool(std::string)> on_data_;
  std::string line_; ///< the part of one that has come
  std::string data_; ///< of the event at hand
  bool has_data_ = false;
  bool after_return_ = false; ///< a line feed would belong to the line before
  bool too_long_ = false;
  std::string last_id_;
  std::optional<timespan> retry_;
};

} // namespace scratchpage::mcp_client
