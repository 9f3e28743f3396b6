#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/io/end_deadline.hpp"

namespace scratchpage {

/// `scratchpage serve`.
struct serve_options {
  std::string data; ///< a directory, "": default_data_directory(), or a database
  std::filesystem::path config;
  std::string listen;                     ///< ADDRESS:PORT; "": as the configuration has it
  std::filesystem::path tls_certificate;  ///< PEM
  std::filesystem::path tls_key;          ///< PEM
  std::filesystem::path tokens;           ///< "": the data directory's
  std::vector<std::string> allowed_hosts; ///< beside this machine's own names
  std::string log_format = "text";
  std::string log_level = "warning";
  timespan longest_end = end_deadline::longest; ///< no option: tests make it shorter
};

/// Serves the agents of a storage over HTTP until a signal asks for the end; then
/// answers what was asked, and leaves within ten seconds. What has not ended then, because an
/// actor still computes or nobody reads the output, ends with the process.
exit_code run_serve(const serve_options& options, const command_environment& environment);

} // namespace scratchpage
