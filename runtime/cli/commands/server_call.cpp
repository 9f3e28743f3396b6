#include "scratchpage/runtime/cli/commands/server_call.hpp"

#include <chrono>
#include <cstdlib>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/runtime/auth/caller_claim.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/client/linked_agent.hpp"
#include "scratchpage/runtime/net/json_rpc/read_error.hpp"

namespace scratchpage {

namespace {

constexpr std::chrono::seconds timeout{5};

} // namespace

caf::expected<json::object> ask_server(const http_client::request& x, size_t max_bytes) {
  std::string body;
  http_client::reader into;
  into.on_head = [](const http_client::head&) { return true; };
  into.on_body = [&](std::string_view piece) {
    body.append(piece);
    return body.size() <= max_bytes;
  };
  http_client::exchange exchange;
  auto outcome = exchange.run(x, timeout, into);
  auto is_local = !x.to.socket_path.empty();
  if (outcome.end != http_client::ending::done)
    return fail(errc::storage_unavailable, is_local ? "--data" : "--server",
      std::string{"expected a server "} + (is_local ? "on this data directory" : "at this address")
        + ": " + outcome.error);
  auto parsed = parse_json(body, {max_bytes, 32});
  auto* object = parsed ? parsed->if_object() : nullptr;
  if (object == nullptr)
    return fail(errc::internal, "", "expected a JSON object from the server");
  if (const auto* error = object->if_contains("error"))
    return read_error(*error);
  return std::move(*object);
}

caf::expected<http_client::request> request_to_host(
  const agent_options& options, std::string method, std::string target) {
  http_client::request result{.method = std::move(method)};
  result.to.target = std::move(target);
  if (options.server.empty()) {
    auto data = existing_data(options.data);
    if (!data)
      return data.error();
    result.to.socket_path = data_directory::socket_in(*data).string();
    result.to.authority = "localhost";
    result.headers = {{"Scratchpage-Caller", auth::claim_of(as_admin(login_name()))}};
    return result;
  }
  client::endpoint to;
  if (auto err = client::set_server(options.server, to))
    return err;
  if (!options.ca_file.empty()) // the client of HTTP takes its authorities from this variable
    ::setenv("SSL_CERT_FILE", options.ca_file.c_str(), 1); // NOLINT(concurrency-mt-unsafe)
  result.to.secure = to.tls;
  result.to.host = to.host;
  result.to.port = to.port;
  result.to.authority = to.host.find(':') == std::string::npos ? to.host : "[" + to.host + "]";
  result.to.authority += ":" + to.port;
  if (auto token = token_of_environment(); !token.empty())
    result.headers = {{"Authorization", "Bearer " + token}};
  else
    result.headers = {{"Scratchpage-Caller", auth::claim_of(as_daemon(login_name()))}};
  return result;
}

} // namespace scratchpage
