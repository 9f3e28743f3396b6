#pragma once

#include <memory>
#include <string>

#include "scratchpage/runtime/client/agent_client.hpp"
#include "scratchpage/runtime/client/link.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"

namespace scratchpage::client {

/// The agent of a server, and the caller.
struct linked_agent_setup {
  std::string url; ///< http://HOST:PORT or https://HOST:PORT
  std::string agent_id;
  std::string thread_id; ///< whose scratchbook is used
  caller by;             ///< claimed if there is no token
  std::string token;     ///< "": none
  std::string ca_file;   ///< trusted authorities, PEM; "": the system's
  open_mode what = open_mode::create;
};

/// An agent that a server hosts.
class linked_agent : public agent_client {
public:
  /// Errors: `invalid_request` about `--server`, `storage_unavailable` if no server answers, and
  /// the error with which the server refuses.
  static caf::expected<std::unique_ptr<linked_agent>> open(
    const linked_agent_setup& setup, link::listener tell = {});

  void start(std::string operation, json::object arguments, on_answer then) override;

  /// Connects again if the connection is lost.
  caf::expected<std::unique_ptr<subscription>> follow(
    follow_order order, event_listener tell) override;

  /// The server settles its agents itself, and reports damage in its log.
  caf::error settle(timespan) override { return {}; }
  std::string damage() const override { return {}; }

private:
  linked_agent(endpoint to, std::unique_ptr<link> over)
    : to_{std::move(to)},
      link_{std::move(over)} {}

  const endpoint to_;
  std::unique_ptr<link> link_;
};

/// The path and the query of an agent's JSON-RPC on a server.
std::string rpc_target_of(
  const std::string& agent_id, const std::string& thread_id, open_mode what);

/// Puts the scheme, host and port of a URL into an endpoint. Error: `invalid_request` about
/// `--server`.
caf::error set_server(std::string_view url, endpoint& to);

} // namespace scratchpage::client
