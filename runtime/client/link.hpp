#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage::rpc {

/// Where a server listens.
struct endpoint {
  std::string socket_path; ///< of a local socket; "": host and port
  std::string host = "127.0.0.1";
  std::string port = "7070";
  bool tls = false;         ///< with the system's authorities
  std::string ca_file;      ///< others, PEM; "": the system's
  std::string target = "/"; ///< path and query
  std::vector<std::pair<std::string, std::string>> headers;
};

/// A connection to a server that speaks JSON-RPC 2.0 on a WebSocket: any number of calls
/// at a time, and what the server tells on its own. May be used from any thread, but not
/// ended from its callbacks.
class link {
public:
  using on_answer = std::function<void(caf::expected<json::value>)>;

  /// All of it is called on the link's thread, which it must not block.
  struct listener {
    std::function<void(const std::string& method, json::object params)> on_notification;
    std::function<void()> on_end; ///< once, unless the link was ended on this side
  };

  /// Connects, or gives up after `patience`. Errors: what the server refuses with, and
  /// `storage_unavailable` if there is no server.
  static caf::expected<std::unique_ptr<link>> open(endpoint to, timespan patience, listener tell);

  /// Calls that are not answered yet are, by `storage_unavailable`.
  virtual ~link() = default;

  /// `then` is called once: with the result, with the error that the server answered, or
  /// with `storage_unavailable` if the connection ends before; what became of it is not
  /// known then.
  virtual void call(std::string method, json::object params, on_answer then) = 0;

  /// Whether the connection is still there.
  virtual bool is_open() const = 0;
};

} // namespace scratchpage::rpc
