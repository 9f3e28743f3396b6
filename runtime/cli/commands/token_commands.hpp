#pragma once

#include <functional>

#include "scratchpage/runtime/cli/commands/token.hpp"

namespace CLI {
class App;
} // namespace CLI

namespace scratchpage {

/// The commands on tokens, as parts of a command line.
class token_commands {
public:
  explicit token_commands(CLI::App& app);
  token_commands(const token_commands&) = delete;
  token_commands& operator=(const token_commands&) = delete;

  /// Whether it was one of them.
  bool parsed() const { return static_cast<bool>(chosen_); }

  /// The one that was parsed.
  exit_code run(const command_environment& environment) const { return chosen_(environment); }

private:
  token_add_options add_;
  token_options list_;
  token_revoke_options revoke_;
  std::function<exit_code(const command_environment&)> chosen_;
};

} // namespace scratchpage
