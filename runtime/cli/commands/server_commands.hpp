#pragma once

#include <functional>
#include <string>

#include "scratchpage/runtime/cli/commands/serve.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

struct page_options {
  std::string data; ///< the server's directory; "": default_data_directory()
};

/// Prints an address of the server on that data directory, with a key that signs the user of this
/// machine in as a person, in a browser, once. The server gives a key to every user who may open
/// its local socket.
exit_code run_page(const page_options& options, const command_environment& environment);

} // namespace scratchpage

namespace CLI {

class App;

} // namespace CLI

namespace scratchpage {

/// Defines the commands `serve` and `page`, for CLI11.
class server_commands {
public:
  explicit server_commands(CLI::App& app);
  server_commands(const server_commands&) = delete;
  server_commands& operator=(const server_commands&) = delete;

  /// Whether one of them was parsed.
  bool parsed() const { return static_cast<bool>(chosen_); }

  /// Runs the command that was parsed.
  exit_code run(const command_environment& environment) const { return chosen_(environment); }

private:
  serve_options serve_;
  page_options page_;
  std::function<exit_code(const command_environment&)> chosen_;
};

} // namespace scratchpage
