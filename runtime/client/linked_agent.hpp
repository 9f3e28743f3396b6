#pragma once

#include <memory>
#include <string>

#include "scratchpage/runtime/client/agent_client.hpp"
#include "scratchpage/runtime/client/link.hpp"
#include "scratchpage/runtime/host/if_missing.hpp"

namespace scratchpage::serve {

/// Which agent of a server is meant, and who asks.
struct linked_agent_setup {
  std::string url; ///< http://HOST:PORT or https://HOST:PORT
  std::string agent_id;
  std::string thread_id; ///< whose scratchbook is meant
  caller by;             ///< who asks, if the server takes one's word
  std::string token;     ///< else; "": none
  std::string ca_file;   ///< authorities beside the system's, PEM; "": none
  if_missing what = if_missing::make;
};

/// An agent that a server has.
class linked_agent : public agent_client {
public:
  /// Errors: `invalid_request` about `--server`, `storage_unavailable` if nobody answers
  /// there, and what the server refuses with.
  static caf::expected<std::unique_ptr<linked_agent>> open(
    const linked_agent_setup& setup, rpc::link::listener tell = {});

  void start(std::string operation, json::object arguments, on_answer then) override;

  /// Comes again to the server when the connection was lost.
  caf::expected<std::unique_ptr<subscription>> follow(
    follow_order order, event_listener tell) override;

  /// That is the server's to see to.
  caf::error settle(timespan) override { return {}; }
  std::string damage() const override { return {}; }

private:
  linked_agent(rpc::endpoint to, std::unique_ptr<rpc::link> over)
    : to_{std::move(to)},
      link_{std::move(over)} {}

  const rpc::endpoint to_;
  std::unique_ptr<rpc::link> link_;
};

/// The target of an agent's JSON-RPC on a server.
std::string rpc_target(const std::string& agent_id, const std::string& thread_id, if_missing what);

/// Puts a URL's scheme, host and port into an endpoint. Error: `invalid_request` about
/// `--server`.
caf::error set_server(std::string_view url, rpc::endpoint& to);

} // namespace scratchpage::serve
