#pragma once

#include <filesystem>
#include <string>

#include "scratchpage/persistence/transfer/export_lines.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// The options of `scratchpage export`.
struct export_options {
  agent_options agent;              ///< the id `all` means all agents
  std::filesystem::path file = "-"; ///< "-": the standard output
};

/// Writes all data of agents as lines of JSON.
exit_code run_export(const export_options& options, const command_environment& environment);

/// The options of `scratchpage import`.
struct import_options {
  std::filesystem::path data; ///< "": default_data_directory()
  std::filesystem::path file; ///< "-": the standard input
  bool json = false;
};

/// Imports an exported file into a data directory: all of it or nothing.
exit_code run_import(const import_options& options, const command_environment& environment);

/// Prints how much was exported or imported: a sentence for people, or an object in JSON.
void print_counts(const end_line& counts, bool json, const command_environment& environment);

/// The options of `scratchpage checkpoint`.
struct checkpoint_options {
  std::string server;            ///< the URL of a server, in place of a directory; "": none
  std::filesystem::path ca_file; ///< authorities for its certificate; "": the system's
  std::filesystem::path data;    ///< "": default_data_directory()
  std::filesystem::path file;
};

/// The options of `scratchpage restore`.
struct restore_options {
  std::filesystem::path data; ///< "": default_data_directory()
  std::filesystem::path file;
  std::string until;           ///< a sequence or a time; "": all of it
  std::string agent = "agent"; ///< the agent whose page `until` resets
};

/// Copies the contents of a data directory into one file.
exit_code run_checkpoint(const checkpoint_options& options, const command_environment& environment);

/// Creates a data directory from a checkpoint. With `until`, resets one agent's page to an earlier
/// state.
exit_code run_restore(const restore_options& options, const command_environment& environment);

/// The options of `scratchpage replay`.
struct replay_options {
  agent_options agent;
  std::string until; ///< a sequence or a time
};

/// Prints what was on the page at that time.
exit_code run_replay(const replay_options& options, const command_environment& environment);

/// The options of `scratchpage repair`.
struct repair_options {
  std::filesystem::path data; ///< "": default_data_directory()
  std::filesystem::path into;
  bool json = false;
};

/// Copies intact data from a damaged data directory into a new one, and prints what is lost;
/// `unmet` if anything is.
exit_code run_repair(const repair_options& options, const command_environment& environment);

} // namespace scratchpage
