#pragma once

#include <string>

#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// The options of `scratchpage facts`. At most one of `add`, `correct` and `end` is set.
struct facts_options {
  agent_options agent;
  std::string text; ///< words to look for, or the statement
  std::string user;
  bool add = false;
  std::string correct; ///< the id of a fact
  std::string end;     ///< the id of a fact
  paging_options paging;
};

/// Prints what an agent knows, or adds, corrects or ends a fact and prints it.
exit_code run_facts(const facts_options& options, const command_environment& environment);

/// The options of `scratchpage episodes`.
struct episodes_options {
  agent_options agent;
  std::string text;
  std::string turn;
  std::string after;
  std::string before;
  paging_options paging;
};

/// Prints what happened in earlier turns.
exit_code run_episodes(const episodes_options& options, const command_environment& environment);

/// The options of `scratchpage turns`.
struct turns_options {
  agent_options agent;
  std::string limit;
  std::string before;
  std::string after;
};

/// Prints the turns of an agent: open ones, then the last.
exit_code run_turns(const turns_options& options, const command_environment& environment);

/// The operation that removes from memory, and the command that asks for it.
inline constexpr const char* forget_name = "forget";

/// The options of `scratchpage forget`.
struct forget_options {
  agent_options agent;
  std::string id; ///< of an observation, a fact or a turn, as its beginning says
};

/// Removes what the id names, and prints what was removed.
exit_code run_forget(const forget_options& options, const command_environment& environment);

} // namespace scratchpage
