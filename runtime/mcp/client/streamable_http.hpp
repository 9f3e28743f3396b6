#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/mcp/protocol/header_arguments.hpp"

namespace scratchpage::mcp_client {

/// Makes the headers of requests over Streamable HTTP. They depend on what client and server have
/// agreed on so far.
class http_headers {
public:
  /// The headers of a POST with that message; null: of a GET or DELETE. `own` are the operator's. A
  /// message that names its revision makes all later requests modern. A modern call also has the
  /// arguments that its tool wants in headers.
  std::vector<std::pair<std::string, std::string>> of(
    const std::map<std::string, std::string>& own, const json::object* message);

  /// Learns from a message of the server: the revision from its answer to `initialize`, and from
  /// its tools which arguments they want in headers.
  void learn_from(std::string_view message, size_t max_bytes);

  /// Sets the session id. It has to have visible ASCII characters only; another one counts as none.
  void set_session(std::string_view id);

  bool has_session() const { return !session_.empty(); }

  /// Whether requests name their revision (2026-07-28).
  bool is_modern() const { return modern_; }

private:
  void mirror(const json::object& call, std::vector<std::pair<std::string, std::string>>& to) const;

  std::string version_; ///< agreed on by `initialize`
  std::string session_;
  bool modern_ = false;
  mcp::header_arguments mirrored_; ///< the arguments in headers of all listed tools
};

/// Reads server-sent events (HTML Living Standard, 9.2) from pieces of any size.
class sse_reader {
public:
  /// `max_bytes` is the greatest size of an event. `on_data` gets the data of each event that has
  /// some; if it returns false, reading ends.
  sse_reader(size_t max_bytes, std::function<bool(std::string data)> on_data);

  /// Takes a piece. False once `on_data` has returned false or an event is too long.
  bool feed(std::string_view piece);

  bool is_too_long() const { return too_long_; }

  /// The id of the last event that had one, at which a broken stream can be resumed; "": none had.
  const std::string& last_id() const { return last_id_; }

  /// How long the server wants a client to wait before it resumes, if the server said so.
  const std::optional<timespan>& retry() const { return retry_; }

private:
  bool take_line(std::string_view line);
  bool dispatch();

  size_t max_bytes_;
  std::function<bool(std::string)> on_data_;
  std::string line_; ///< the part of a line that has come
  std::string data_; ///< of the current event
  bool has_data_ = false;
  bool after_return_ = false; ///< a line feed belongs to the carriage return before it
  bool too_long_ = false;
  std::string last_id_;
  std::optional<timespan> retry_;
};

} // namespace scratchpage::mcp_client
