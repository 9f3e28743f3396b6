#include "scratchpage/runtime/testing/team.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/host/hosted_setup.hpp"

namespace scratchpage::testing {

namespace {

/// A setup with the clock, the trace and the driver of the team `in`.
template <class Setup>
Setup placed(team& in, Setup x) {
  x.clock = in.driver.clock();
  x.trace = in.trace;
  x.driver = &in.driver;
  return x;
}

} // namespace

team::~team() {
  host.reset();
  settle();
}

void team::start(ensemble_setup setup) {
  host = std::make_unique<ensemble>(sys, placed(*this, std::move(setup)));
  settle();
}

void team::start(hosted_setup setup) {
  host = std::make_unique<ensemble>(sys, placed(*this, std::move(setup)));
  settle();
}

caf::expected<turn_result> team::run(begin_turn request) {
  auto answer = send(host->turns(), std::move(request));
  settle();
  while (!answer->arrived() && driver.advance_to_next_deadline()) {
  }
  if (!answer->arrived())
    return fail(errc::deadline_exceeded, "", "expected the turn to end");
  return std::move(*answer->value);
}

caf::expected<turn_result> team::say(std::string input, std::vector<planned_call> plan) {
  begin_turn request;
  request.thread_id = "main";
  request.user_id = "ann";
  request.input = std::move(input);
  request.plan = std::move(plan);
  return run(std::move(request));
}

caf::expected<query_result> team::of_type(std::string type) {
  query_observations request;
  request.by = as_daemon("probe");
  request.filter.type = {std::move(type)};
  request.limit = 1000;
  return ask(host->page(), std::move(request));
}

size_t team::traced(std::string_view operation, std::string_view status) const {
  size_t count = 0;
  for (const auto& x : trace->entries())
    count += x.operation == operation && (status.empty() || x.status == status) ? 1 : 0;
  return count;
}

tool_definition recorded(tool_manifest manifest, std::vector<recorded_response> responses) {
  recorded_tool tool;
  tool.responses = std::move(responses);
  return {std::move(manifest), std::move(tool)};
}

} // namespace scratchpage::testing
