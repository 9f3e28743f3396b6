#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// A program that compacts conversations (actors/conversation/agent_compactor.hpp).
struct compactor_program {
  std::vector<std::string> command;       ///< looked up in PATH, and its arguments; empty: none
  std::map<std::string, std::string> env; ///< on top of this process's own
  std::string working_directory;          ///< "": this process's own
  uint32_t max_rounds = 16;               ///< requests of one compaction
  uint32_t max_calls = 32;                ///< of tools, in one answer

  static constexpr auto fields(auto all) {
    using self = compactor_program;
    return all(optional("command", &self::command), optional("env", &self::env),
      optional("working_directory", &self::working_directory),
      optional("max_rounds", &self::max_rounds), optional("max_calls", &self::max_calls));
  }
};

} // namespace scratchpage
