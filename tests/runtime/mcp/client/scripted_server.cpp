#include "scratchpage/tests/runtime/mcp/client/scripted_server.hpp"

#include <chrono>

#include "scratchpage/tests/support/source_dir.hpp"

namespace scratchpage::test {

namespace {

std::vector<std::string> arguments(std::vector<std::string> modes) {
  modes.insert(modes.begin(), source_file("tests/runtime/mcp/client/scripted_server.py"));
  return modes;
}

child_command over_http(std::vector<std::string> modes) {
  modes.insert(modes.begin(), "--http");
  auto argv = arguments(std::move(modes));
  argv.insert(argv.begin(), "python3");
  return {std::move(argv), {}, {}};
}

std::string next_line_of(child_process& program) {
  auto by = child_process::deadline_in(std::chrono::minutes{1});
  return program.exchange("", by).line;
}

} // namespace

mcp_client::server_config scripted_program(std::vector<std::string> modes) {
  mcp_client::server_config result;
  result.command = "python3";
  result.args = arguments(std::move(modes));
  return result;
}

scripted_http_server::scripted_http_server(std::vector<std::string> modes)
  : program_{over_http(std::move(modes)), {}},
    port_{next_line_of(program_)} {}

mcp_client::server_config scripted_http_server::config() const {
  mcp_client::server_config result;
  result.url = "http://127.0.0.1:" + port_ + "/mcp";
  return result;
}

std::string scripted_http_server::next_line() {
  return next_line_of(program_);
}

} // namespace scratchpage::test
