#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/actors/tools/unique_fd.hpp"

namespace scratchpage {

/// What to run.
struct child_command {
  std::vector<std::string> argv;          ///< the first is looked up in PATH
  std::map<std::string, std::string> env; ///< on top of what it inherits
  std::string working_directory;          ///< "": this process's own
  /// The variables of this process that it inherits; null: all.
  std::optional<std::vector<std::string>> inherits = std::nullopt;
};

/// A program that was started, and our ends of its standard files, which never
/// block.
struct spawned_child {
  pid_t pid = -1;    ///< -1: it could not be started
  unique_fd in;      ///< its standard input; we write
  unique_fd out;     ///< its standard output; we read
  unique_fd err;     ///< its standard error; we read
  std::string error; ///< why it could not be started, for a person
};

/// Starts a program in a process group of its own, with signals as after a login
/// and no file of ours but the three.
spawned_child spawn_child(const child_command& command);

} // namespace scratchpage
