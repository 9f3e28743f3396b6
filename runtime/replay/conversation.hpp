#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scratchpage/messages/tool.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/replay/expectation.hpp"

/// What can be played: the one form that scenario files and chat transcripts
/// both become. A player (player.hpp) makes its steps happen, in their order.

namespace scratchpage {

/// How long something takes, in milliseconds of the run's own time. A seed
/// picks within it.
struct latency_range {
  double min_ms = 0;
  double max_ms = 0; ///< never below `min_ms`
};

/// What a tool once answered to one call.
struct recorded_answer {
  std::string call_id;
  std::string tool_id;
  std::string content;             ///< as it was recorded
  std::optional<json::value> json; ///< the content, if it is JSON
  bool failed = false;
  std::string error;                    ///< what went wrong, "" unless it failed
  std::optional<latency_range> latency; ///< absent: the player's default
};

/// One answer that a scenario writes for a tool. The first that fits a call is
/// given.
struct scripted_answer {
  json::object when;    ///< inputs that a call must have to get this answer; empty: any
  uint32_t attempt = 0; ///< only for this attempt of a call; 0: any
  uint32_t times = 0;   ///< how often it may be given; 0: no bound
  tool_status status = tool_status::ok; ///< `timeout`: never answers
  json::object outputs;
  std::string error; ///< becomes `outputs.error` of a failure
  std::vector<json::value> observations;
  std::vector<json::value> scratch_page_writes;
  std::vector<json::value> memory_writes;
  std::optional<latency_range> latency; ///< absent: the tool's
};

/// How a tool misbehaves.
enum class fault_kind : uint8_t {
  timeout,       ///< never answers
  error,         ///< answers with a failure
  invalid_write, ///< answers as it should, and adds an observation that breaks the rules
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<fault_kind>{
  "timeout", "error", "invalid_write"};

/// A fault, and when it strikes: on the named calls of the tool (counted from
/// 1, retries included), or on any call with a probability.
struct tool_fault {
  fault_kind kind = fault_kind::error;
  std::vector<uint32_t> calls;
  double probability = 0; ///< in [0, 1]; the seed decides
  std::string error;      ///< what a failure says

  static constexpr auto fields() {
    using self = tool_fault;
    return std::make_tuple(required("kind", &self::kind), one_or_many("calls", &self::calls),
      optional("probability", &self::probability), optional("error", &self::error));
  }
};

/// A tool that a scenario describes, or that a transcript was seen to use (then
/// with neither answers nor faults: see `conversation::answers`).
struct scripted_tool {
  tool_manifest manifest;
  std::optional<latency_range> latency; ///< absent: the player's default
  std::vector<scripted_answer> answers;
  std::vector<tool_fault> faults;
};

/// A turn to play, and what a recorded agent said at its end ("" if unknown).
struct replay_turn {
  begin_turn request;
  std::string recorded_response;
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
  std::optional<timestamp> start;                 ///< absent: the player's default
  std::vector<std::string> agents;                ///< every agent that a step names; never empty
  std::vector<scripted_tool> tools;               ///< unique tool ids
  std::map<std::string, recorded_answer> answers; ///< by call id, unique in the conversation
  std::vector<replay_step> steps;
  json::object config; ///< overrides of the run's configuration
};

/// How many turns the steps begin.
size_t count_turns(const conversation& x);

/// How many calls the turns plan.
size_t count_calls(const conversation& x);

} // namespace scratchpage
