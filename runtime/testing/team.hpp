#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/testing/virtual_time.hpp"

namespace scratchpage::testing {

/// Objects that the actors of a team use. They are a base class, so that they outlive the actors.
struct team_parts {
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
  std::unique_ptr<ensemble> host; ///< null before `start`
};

/// A whole ensemble on virtual time. Nothing happens by itself: the calls of `host` run the actors
/// until there is an answer, `settle` and `advance` run them otherwise.
struct team : team_parts, virtual_time {
  team() = default;
  ~team();

  /// Makes the ensemble and lets it settle. It gets the clock, the trace and the driver of this
  /// team, in place of those in `setup`.
  void start(ensemble_setup setup = {});

  /// As above, for tests within the library.
  void start(hosted_setup setup);

  /// Begins a turn and lets time pass until it is answered.
  caf::expected<turn_result> run(begin_turn request);

  /// Runs a turn of the user "ann" in the thread "main".
  caf::expected<turn_result> say(std::string input, std::vector<planned_call> plan = {});

  /// The live observations of a type on the page.
  caf::expected<query_result> of_type(std::string type);

  /// The number of trace entries with this operation and, if given, this status.
  size_t traced(std::string_view operation, std::string_view status = {}) const;
};

/// A tool that answers each call with the next of `responses`.
tool_definition recorded(tool_manifest manifest, std::vector<recorded_response> responses = {});

} // namespace scratchpage::testing
