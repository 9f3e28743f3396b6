#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/io/shutdown.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"

namespace scratchpage {

/// Puts "ADDRESS:PORT", "[IPV6]:PORT" or ":PORT" into a configuration. Error:
/// `invalid_request` about `--listen`.
caf::error set_listen_address(std::string_view text, http::server_config& to);

/// The URL of the server for its clients.
std::string url_of(const http::server_config& x, uint16_t port);

} // namespace scratchpage

namespace scratchpage {

/// The options of `scratchpage serve`.
struct serve_options {
  std::string data; ///< a directory, "": default_data_directory(), or a database
  std::filesystem::path config;
  std::string listen;                     ///< ADDRESS:PORT; "": as the configuration has it
  std::filesystem::path tls_certificate;  ///< PEM
  std::filesystem::path tls_key;          ///< PEM
  std::filesystem::path tokens;           ///< "": the data directory's
  std::vector<std::string> allowed_hosts; ///< in addition to this machine's own names
  std::string log_format = "text";
  std::string log_level = "warning";
  timespan longest_end = end_deadline::longest; ///< not an option; tests set it
};

/// Serves the agents of a storage over HTTP until a signal asks for the end. Then answers open
/// requests, and ends within ten seconds. If an actor still computes or the output is not read
/// then, the process is ended by force.
exit_code run_serve(const serve_options& options, const command_environment& environment);

} // namespace scratchpage
