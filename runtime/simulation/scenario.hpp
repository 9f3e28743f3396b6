#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/runtime/simulation/conversation.hpp"

/// Scenario files: one JSON object, comments allowed. docs/scenario.schema.json is its JSON Schema,
/// and docs/scenarios.md explains it. The structs below have its members.

namespace scratchpage {

/// A tool with recorded answers: its manifest and its recording. A scenario can define no other
/// tools, so that playing one does not run programs.
struct scenario_tool : tool_manifest {
  std::vector<recorded_response> responses;
  std::optional<scratchpage::after_last> after_last;
  std::optional<double> latency_ms;
  std::optional<latency_range> latency; ///< excludes `latency_ms`
  std::vector<recorded_fault> faults;

  static constexpr auto fields(auto all) {
    using self = scenario_tool;
    return tool_manifest::fields([&](const auto&... m) {
      return all(inherited<self>(m)..., one_or_many("responses", &self::responses),
        optional("after_last", &self::after_last), optional("latency_ms", &self::latency_ms),
        optional("latency", &self::latency), one_or_many("faults", &self::faults));
    });
  }
};

struct scenario_turn {
  std::string agent;  ///< "": the first agent
  std::string thread; ///< "": "main"
  std::string user;   ///< "": "user"
  std::string input;
  std::vector<planned_call> plan;
  turn_mode mode = turn_mode::sequential;
  double deadline_ms = 0;
  json::object context;

  static constexpr auto fields(auto all) {
    using self = scenario_turn;
    return all(optional("agent", &self::agent), optional("thread", &self::thread),
      optional("user", &self::user), required("input", &self::input), optional("plan", &self::plan),
      optional("mode", &self::mode), optional("deadline_ms", &self::deadline_ms),
      optional("context", &self::context));
  }
};

/// Exactly one of `turn`, `turns`, `wait`, `add` and `expect`.
struct scenario_step {
  std::string note; ///< for readers
  std::optional<scenario_turn> turn;
  std::vector<scenario_turn> turns; ///< begin at the same moment
  json::value wait;                 ///< "61s", or milliseconds
  std::optional<observation_draft> add;
  std::optional<source> as; ///< with `add`: who adds; absent: the user
  std::string agent;        ///< with `add`: the agent with the page; "": the first agent
  std::optional<expectation> expect;

  static constexpr auto fields(auto all) {
    using self = scenario_step;
    return all(optional("note", &self::note), optional("turn", &self::turn),
      optional("turns", &self::turns), optional("wait", &self::wait), optional("add", &self::add),
      optional("as", &self::as), optional("agent", &self::agent),
      optional("expect", &self::expect));
  }
};

struct scenario_file {
  std::string schema; ///< `$schema`, for editors
  std::string scenario;
  std::string description;
  std::optional<timestamp> start;
  std::vector<std::string> agents; ///< empty: one agent with the name of the scenario
  std::vector<scenario_tool> tools;
  std::vector<std::string> servers; ///< servers of the run's configuration whose tools it calls
  std::vector<scenario_step> steps;
  json::object config;

  static constexpr auto fields(auto all) {
    using self = scenario_file;
    return all(optional("$schema", &self::schema), required("scenario", &self::scenario),
      optional("description", &self::description), optional("start", &self::start),
      optional("agents", &self::agents), optional("tools", &self::tools),
      optional("servers", &self::servers), required("steps", &self::steps),
      optional("config", &self::config));
  }
};

/// Reads a duration such as "250ms", "61s", "2m", "1.5h" or "7d"; nothing if it is none.
std::optional<timespan> parse_duration(std::string_view text);

/// Reads a scenario. Unknown members are errors. An error names `file`, the line, the field and
/// what was expected.
caf::expected<conversation> read_scenario(std::string_view text, std::string_view file);

} // namespace scratchpage
