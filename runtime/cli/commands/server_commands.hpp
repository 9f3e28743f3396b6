#pragma once

#include <functional>

#include "scratchpage/runtime/cli/commands/page.hpp"
#include "scratchpage/runtime/cli/commands/serve.hpp"

namespace CLI {
class App;
} // namespace CLI

namespace scratchpage {

/// The commands that serve others, as parts of a command line.
class server_commands {
public:
  explicit server_commands(CLI::App& app);
  server_commands(const server_commands&) = delete;
  server_commands& operator=(const server_commands&) = delete;

  /// Whether it was one of them.
  bool parsed() const { return static_cast<bool>(chosen_); }

  /// The one that was parsed.
  exit_code run(const command_environment& environment) const { return chosen_(environment); }

private:
  serve_options serve_;
  page_options page_;
  std::function<exit_code(const command_environment&)> chosen_;
};

} // namespace scratchpage
