#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scratchpage/actors/policies/policies.hpp"
#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/config/settings.hpp"

namespace scratchpage {

class virtual_time_driver;

/// What an ensemble is made of. The defaults make a working ensemble.
struct ensemble_setup {
  /// UTF-8 without U+0000, at least one byte and at most 1024.
  std::string agent_id = "agent";
  config_ptr settings = {}; ///< null: the built-in configuration
  /// Each has an id of its own, which none of the tools that the profile adds has (`read_back`,
  /// `scratch_add` and so on).
  std::vector<tool_definition> tools = {};
  policy_factories policies = {}; ///< replace the decisions of built-in daemons

  /// Daemons that are left out: "router", "clarifier", "executor", "error_handler", "evaluator",
  /// "reflector", "system_analyzer". The program may have a daemon of its own for each of them.
  std::vector<std::string> without = {};
  /// Daemons with the same names that live in another process. Turns wait until they have
  /// subscribed. None of them is in `without`.
  std::vector<std::string> elsewhere = {};

  /// Null: the clock of `driver`, or the wall clock without a driver.
  std::shared_ptr<const scratchpage::clock> clock = {};
  /// Null: a stored agent is traced as the configuration says, another one is not traced.
  std::shared_ptr<trace_sink> trace = {};
  compactor_actor compactor = {}; ///< null: as the configuration says
  uint64_t seed = 1;              ///< of the latencies of recorded tools
  /// The driver of the actor system, which outlives the ensemble, if the system is on virtual time;
  /// null on real time. It runs the actors while a call waits for its answer. All calls then come
  /// from the driver's thread, no actor gets a thread of its own, and there are no MCP servers.
  virtual_time_driver* driver = nullptr;
};

} // namespace scratchpage
