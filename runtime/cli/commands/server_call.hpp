#pragma once

#include <string>

#include <caf/expected.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/net/http_client/exchange.hpp"

namespace scratchpage {

/// Makes a request of a server, and returns the JSON object of its answer. Waits five seconds at
/// most, and reads `max_bytes` at most. Errors: `storage_unavailable` if there is no server; the
/// error of the answer.
caf::expected<json::object> ask_server(const http_client::request& x, size_t max_bytes);

/// A request for `target` of the server of the options, or else of the process that has their
/// directory. Errors: as `--server` has.
caf::expected<http_client::request> request_to_host(
  const agent_options& options, std::string method, std::string target);

} // namespace scratchpage
