#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage::client {

/// The address of a server, and what a client sends it first.
struct endpoint {
  std::string socket_path; ///< of a local socket; "": host and port
  std::string host = "127.0.0.1";
  std::string port = "7070";
  bool tls = false;
  std::string ca_file;      ///< trusted authorities, PEM; "": the system's
  std::string target = "/"; ///< path and query
  std::vector<std::pair<std::string, std::string>> headers;
};

/// A connection to a server that speaks JSON-RPC 2.0 on a WebSocket, for any number of calls at a
/// time and for notifications. May be used from any thread, but must not be destroyed in its
/// callbacks.
class link {
public:
  using on_answer = std::function<void(caf::expected<json::value>)>;
  using on_text = std::function<void(caf::expected<std::string>)>;

  /// Callbacks, called on the link's thread, which they must not block.
  struct listener {
    std::function<void(const std::string& method, json::object params)> on_notification;
    std::function<void()> on_end; ///< once, unless this side has ended the link
  };

  /// Connects, or gives up after `timeout`. Errors: the error with which the server refuses, or
  /// `storage_unavailable` if there is no server.
  static caf::expected<std::unique_ptr<link>> open(endpoint to, timespan timeout, listener tell);

  /// Ends the link. Open calls get `storage_unavailable`.
  virtual ~link() = default;

  /// Calls a method. `then` is called once: with the result, with the error from the server, or
  /// with `storage_unavailable` if the connection ends before; then it is not known whether the
  /// call was executed.
  void call(std::string method, json::object params, on_answer then);

  /// The same with the result as JSON text.
  virtual void call_for_text(std::string method, json::object params, on_text then) = 0;

  /// Whether the connection is open.
  virtual bool is_open() const = 0;
};

/// The calls of a link that wait for their answers, by number. Without a transport; may be used
/// from any thread.
class pending_calls {
public:
  enum class peer {
    anybody,    ///< answers are parsed before they are passed on
    own_process ///< a process of this program on this machine: results are passed on unread
  };

  explicit pending_calls(peer from = peer::anybody)
    : from_{from} {}

  /// Adds a call and gives the text to send. If the server is about to stop or the link has ended,
  /// gives "", and `then` has got `overloaded` about `server`.
  std::string begin(std::string_view method, json::object params, link::on_text then);

  /// Handles a message from the server: an answer goes to its call, a notification to `tell`;
  /// anything else is ignored. False if the server is about to stop and no call waits any more.
  bool take(std::string_view text, const link::listener& tell);

  /// Answers all calls with this error, and begins no more.
  void end(const caf::error& why);

private:
  void take_notification(
    std::string_view method, json::object& message, const link::listener& tell);
  bool pass_on(std::string_view text);
  link::on_text find(const json::object& message);
  link::on_text take_out(uint64_t number);
  bool goes_on();

  const peer from_;
  std::mutex guard_;
  std::map<uint64_t, link::on_text> waiting_;
  uint64_t last_ = 0;
  bool ended_ = false;
};

} // namespace scratchpage::client
