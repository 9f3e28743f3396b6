#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"

namespace scratchpage::serve {

/// Whose page and which scratchbook somebody means who speaks JSON-RPC or MCP, as the
/// query string says.
struct rpc_target {
  std::string agent = "agent";
  std::string thread = "main";
  bool make = true; ///< the agent, if it is not there

  static constexpr size_t id_bytes = 1'024; ///< of the agent's and of the thread's id

  static constexpr auto fields(auto all) {
    using self = rpc_target;
    return all(optional("agent", &self::agent), optional("thread", &self::thread),
      optional("make", &self::make));
  }
};

/// The parameters of a target.
const json::object& schema_of_rpc_target();

/// Errors: `invalid_request` about a parameter that is unknown, there twice, malformed or too long.
caf::expected<rpc_target> read_rpc_target(std::string_view query);

} // namespace scratchpage::serve
