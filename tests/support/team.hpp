#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

namespace scratchpage::test {

/// What a team refers to; a base, so that it outlives the actors.
struct team_parts {
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
  std::unique_ptr<ensemble> host;
};

/// A whole ensemble on virtual time, and short ways to speak to it. Make it
/// with `start`, once the tools and the configuration are as wanted.
struct team : team_parts, virtual_time {
  ensemble_setup setup;

  team();
  ~team();

  void start();

  /// Adds a tool that answers each call with the next of `responses`.
  recorded_tool& add_tool(tool_manifest manifest, std::vector<recorded_response> responses = {});

  receipt add(const caller& by, observation_draft draft);
  query_result query(observation_filter filter, std::string text = {}, uint32_t limit = 1000);
  std::vector<observation_ptr> of_type(std::string type);

  /// Begins a turn and lets time pass until it has answered.
  turn_result run(begin_turn request);

  turn_result say(std::string input, std::vector<planned_call> plan = {});
  std::vector<goal> goals();
  std::vector<fact> facts();

  /// How many trace entries have this operation and, if given, this status.
  size_t traced(std::string_view operation, std::string_view status = {}) const;

  template <class T>
  static T value(caf::expected<T> x) {
    if (!x)
      BOOST_FAIL(describe(x.error()));
    return std::move(*x);
  }
};

planned_call call(std::string tool, json::object inputs = {}, std::string id = {});

observation_draft draft(std::string type, std::string content, double confidence = 0.5,
  std::vector<std::string> tags = {});

} // namespace scratchpage::test
