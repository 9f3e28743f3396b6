#include <iostream>
#include <limits>
#include <memory>
#include <string>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/mcp/server/http_endpoint.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixtures.hpp"

/// The server for the official conformance suite of MCP. It uses the same protocol code and
/// transport as an agent. It prints its address and serves until its input ends.

namespace scratchpage::test {

namespace {

constexpr const char* path = "/mcp";

http::handler answers_of(const std::shared_ptr<mcp::http_endpoint>& endpoint) {
  return [endpoint](http::request x, std::shared_ptr<http::exchange> by) {
    if (x.path == path)
      return endpoint->handle(std::move(x), std::move(by), {as_daemon("conformance"), "main"});
    http::response nothing;
    nothing.status = 404;
    by->respond(std::move(nothing));
  };
}

int serve(uint16_t port) {
  caf::actor_system_config cfg;
  caf::actor_system system{cfg};
  auto strand = std::make_shared<actor_strand>(system, std::make_shared<wall_clock>());
  auto endpoint = std::make_shared<mcp::http_endpoint>(
    std::make_shared<mcp::server>(strand, std::make_shared<fixtures>()));
  http::server_config config;
  config.port = port;
  auto server = http::server::start(config, answers_of(endpoint));
  if (!server) {
    std::cerr << describe(server.error()) << '\n';
    return 1;
  }
  std::cout << "http://localhost:" << (*server)->port() << path << std::endl;
  std::cin.ignore(std::numeric_limits<std::streamsize>::max());
  server->reset();
  strand->stop();
  return 0;
}

} // namespace

} // namespace scratchpage::test

int main(int argc, char** argv) {
  CLI::App app{"A server for the conformance suite of MCP"};
  uint16_t port = 0;
  app.add_option("--port", port, "where to listen; whichever is free");
  CLI11_PARSE(app, argc, argv);
  scratchpage::init_messages();
  return scratchpage::test::serve(port);
}
