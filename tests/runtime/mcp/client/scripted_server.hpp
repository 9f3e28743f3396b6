#pragma once

#include <string>
#include <vector>

#include "scratchpage/actors/tools/child_process.hpp"
#include "scratchpage/runtime/mcp/client/server_config.hpp"

namespace scratchpage::test {

/// The configuration that runs the scripted server (scripted_server.py) as a program.
mcp_client::server_config scripted_program(std::vector<std::string> modes = {});

/// The scripted server over HTTP. It ends with this object.
class scripted_http_server {
public:
  explicit scripted_http_server(std::vector<std::string> modes = {});

  mcp_client::server_config config() const;

  /// The next line that the server writes, such as "session ended"; "" if none comes in time.
  std::string next_line();

private:
  child_process program_;
  std::string port_;
};

} // namespace scratchpage::test
