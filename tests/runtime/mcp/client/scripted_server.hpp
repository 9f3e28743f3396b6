#pragma once

#include <string>
#include <vector>

#include "scratchpage/actors/tools/child_process.hpp"
#include "scratchpage/runtime/mcp/client/server_config.hpp"

namespace scratchpage::test {

/// The scripted server (scripted_server.py) as a program of the configuration.
mcp_client::server_config scripted_program(std::vector<std::string> modes = {});

/// The same as a server over HTTP, for as long as this lives.
class scripted_http_server {
public:
  explicit scripted_http_server(std::vector<std::string> modes = {});

  mcp_client::server_config config() const;

  /// The next line that it writes: "session ended". "" if there is none in time.
  std::string next_line();

private:
  child_process program_;
  std::string port_;
};

} // namespace scratchpage::test
