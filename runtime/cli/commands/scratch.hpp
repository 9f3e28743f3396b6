#pragma once

#include <string>
#include <vector>

#include "scratchpage/messages/main_thread.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// The options that all commands of `scratchpage scratch` share.
struct scratch_options {
  agent_options agent;
  std::string thread = main_thread;
};

struct scratch_read_options {
  scratch_options in;
  std::string after; ///< "": the beginning
};

/// The options of the commands on one item. `id` is "" for `add`.
struct scratch_item_options {
  scratch_options in;
  std::string id;
  std::string kind;
  std::string status;
  std::string title;
  std::string body;
  std::vector<std::string> tags;
  std::string phase;
  std::string progress;
  std::string goal_id;
  std::string action_id;
  std::string observation_id;
};

exit_code run_scratch_read(
  const scratch_read_options& options, const command_environment& environment);
exit_code run_scratch_list(const scratch_options& options, const command_environment& environment);
exit_code run_scratch_add(
  const scratch_item_options& options, const command_environment& environment);
exit_code run_scratch_update(
  const scratch_item_options& options, const command_environment& environment);
exit_code run_scratch_complete(
  const scratch_item_options& options, const command_environment& environment);
exit_code run_scratch_pin(
  const scratch_item_options& options, const command_environment& environment);
exit_code run_scratch_unpin(
  const scratch_item_options& options, const command_environment& environment);

} // namespace scratchpage
