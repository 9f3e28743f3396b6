#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/chat.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/simulation/expectation.hpp"

/// What can be played: the one form that scenario files and chat transcripts
/// both become. A player (player.hpp) makes its steps happen, in their order.

namespace scratchpage {

/// A turn to play, and what a recorded agent said at its end ("" if unknown).
struct replay_turn {
  begin_turn request;
  std::string recorded_response;
  std::vector<chat_message> messages; ///< of it, as they were recorded
};

/// Begins these turns at the same moment and waits until all have answered.
struct turns_step {
  std::vector<replay_turn> turns;
};

/// Lets time pass.
struct wait_step {
  timespan duration{0};
};

/// Somebody outside the turns adds an observation.
struct add_step {
  std::string agent_id;
  caller by;
  observation_draft draft;
};

/// What must hold by now, for one agent.
struct expect_step {
  std::string agent_id;
  expectation expected;
};

struct replay_step {
  std::string where; ///< "FILE:LINE", for messages
  std::variant<turns_step, wait_step, add_step, expect_step> what;
};

/// A run of one or more agents, from its first step to its last.
struct conversation {
  std::string id;
  std::string file;
  std::optional<timestamp> start;     ///< absent: the player's default
  std::vector<std::string> agents;    ///< every agent that a step names; never empty
  std::vector<tool_definition> tools; ///< unique ids; recorded ones only
  std::vector<std::string> servers;   ///< MCP servers of the run's configuration that it needs
  std::vector<replay_step> steps;
  json::object config;      ///< overrides of the run's configuration
  std::string instructions; ///< what the system told its model, as it was recorded
};

/// How many turns the steps begin.
size_t count_turns(const conversation& x);

/// How many calls the turns plan.
size_t count_calls(const conversation& x);

} // namespace scratchpage
