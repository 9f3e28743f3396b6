#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/trace_sink.hpp"
#include "scratchpage/runtime/ensemble.hpp"
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

  team() { setup.agent_id = "tester"; }
  ~team() {
    host.reset();
    settle();
  }

  void start() {
    setup.clock = driver.clock();
    setup.trace = trace;
    setup.allow_threads = false;
    host = std::make_unique<ensemble>(sys, setup);
    settle();
  }

  /// Adds a tool that answers each call with the next of `responses`.
  recorded_tool& add_tool(tool_manifest manifest, std::vector<recorded_response> responses = {}) {
    recorded_tool tool;
    tool.responses = std::move(responses);
    setup.tools.push_back({std::move(manifest), std::move(tool)});
    return std::get<recorded_tool>(setup.tools.back().kind);
  }

  receipt add(const caller& by, observation_draft draft) {
    return value(ask(host->page(), add_observation{by, std::move(draft)}));
  }

  query_result query(observation_filter filter, std::string text = {}, uint32_t limit = 1000) {
    query_observations request;
    request.by = as_daemon("probe");
    request.text = std::move(text);
    request.filter = std::move(filter);
    request.limit = limit;
    return value(ask(host->page(), std::move(request)));
  }

  std::vector<observation_ptr> of_type(std::string type) {
    observation_filter filter;
    filter.type = {std::move(type)};
    return query(std::move(filter)).observations;
  }

  /// Begins a turn and lets time pass until it has answered.
  turn_result run(begin_turn request) {
    auto answer = virtual_time::start(host->turns(), std::move(request));
    settle();
    while (!answer->arrived() && driver.advance_to_next_deadline()) {
    }
    BOOST_REQUIRE(answer->arrived());
    return value(std::move(*answer->value));
  }

  turn_result say(std::string input, std::vector<planned_call> plan = {}) {
    begin_turn request;
    request.thread_id = "main";
    request.user_id = "ann";
    request.input = std::move(input);
    request.plan = std::move(plan);
    return run(std::move(request));
  }

  std::vector<goal> goals() {
    return value(ask(host->cortex(), list_goals{as_daemon("probe"), {}})).goals;
  }

  std::vector<fact> facts() {
    query_facts request;
    request.by = as_daemon("probe");
    request.limit = 1000;
    return value(ask(host->facts(), std::move(request))).facts;
  }

  /// How many trace entries have this operation and, if given, this status.
  size_t traced(std::string_view operation, std::string_view status = {}) const {
    size_t count = 0;
    for (const auto& x : trace->entries())
      count += x.operation == operation && (status.empty() || x.status == status) ? 1 : 0;
    return count;
  }

  template <class T>
  static T value(caf::expected<T> x) {
    if (!x)
      BOOST_FAIL(describe(x.error()));
    return std::move(*x);
  }
};

inline planned_call call(std::string tool, json::object inputs = {}, std::string id = {}) {
  planned_call x;
  x.call_id = std::move(id);
  x.tool_id = std::move(tool);
  x.inputs = std::move(inputs);
  return x;
}

inline observation_draft draft(std::string type, std::string content, double confidence = 0.5,
  std::vector<std::string> tags = {}) {
  observation_draft x;
  x.type = std::move(type);
  x.content = std::move(content);
  x.confidence = confidence;
  x.tags = std::move(tags);
  return x;
}

} // namespace scratchpage::test
