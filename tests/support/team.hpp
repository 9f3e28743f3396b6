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
#include "scratchpage/runtime/host/hosted_setup.hpp"
#include "scratchpage/runtime/testing/team.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

namespace scratchpage::test {

/// A complete ensemble on virtual time, with short functions to use it. Set tools and
/// configuration first, then call `start`.
struct team : testing::team {
  hosted_setup setup;

  team();

  void start();

  /// Adds a tool that answers each call with the next element of `responses`.
  recorded_tool& add_tool(tool_manifest manifest, std::vector<recorded_response> responses = {});

  receipt add(const caller& by, observation_draft draft);
  query_result query(observation_filter filter, std::string text = {}, uint32_t limit = 1000);
  std::vector<observation_ptr> of_type(std::string type);

  /// Begins a turn and lets time pass until the turn has answered.
  turn_result run(begin_turn request);

  turn_result say(std::string input, std::vector<planned_call> plan = {});
  std::vector<goal> goals();
  std::vector<fact> facts();

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
