#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace scratchpage {

/// What the ensemble's own daemons and services are called as sources. These names are
/// theirs alone: nobody who comes through an edge is let in under one of them, so that an
/// observation `{daemon: executor}` is one of the Executor. A daemon of the program that
/// embeds the ensemble has a name of its own.
inline constexpr std::array<std::string_view, 18> component_names{"agent_compactor", "clarifier",
  "consciousness", "conversations", "episodic_memory", "error_handler", "evaluator", "executor",
  "frontal_cortex", "housekeeping", "journal", "reflector", "router", "scratch_page",
  "scratchbooks", "semantic_memory", "system_analyzer", "turns"};

inline bool is_component(std::string_view name) {
  return std::find(component_names.begin(), component_names.end(), name) != component_names.end();
}

} // namespace scratchpage
