#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

team::team() {
  setup.agent_id = "tester";
}

team::~team() {
  host.reset();
  settle();
}

void team::start() {
  setup.clock = driver.clock();
  setup.trace = trace;
  setup.allow_threads = false;
  host = std::make_unique<ensemble>(sys, setup);
  settle();
}

recorded_tool& team::add_tool(tool_manifest manifest, std::vector<recorded_response> responses) {
  recorded_tool tool;
  tool.responses = std::move(responses);
  setup.tools.push_back({std::move(manifest), std::move(tool)});
  return std::get<recorded_tool>(setup.tools.back().kind);
}

receipt team::add(const caller& by, observation_draft draft) {
  return value(ask(host->page(), add_observation{by, std::move(draft)}));
}

query_result team::query(observation_filter filter, std::string text, uint32_t limit) {
  query_observations request;
  request.by = as_daemon("probe");
  request.text = std::move(text);
  request.filter = std::move(filter);
  request.limit = limit;
  return value(ask(host->page(), std::move(request)));
}

std::vector<observation_ptr> team::of_type(std::string type) {
  observation_filter filter;
  filter.type = {std::move(type)};
  return query(std::move(filter)).observations;
}

turn_result team::run(begin_turn request) {
  auto answer = virtual_time::start(host->turns(), std::move(request));
  settle();
  while (!answer->arrived() && driver.advance_to_next_deadline()) {
  }
  BOOST_REQUIRE(answer->arrived());
  return value(std::move(*answer->value));
}

turn_result team::say(std::string input, std::vector<planned_call> plan) {
  begin_turn request;
  request.thread_id = "main";
  request.user_id = "ann";
  request.input = std::move(input);
  request.plan = std::move(plan);
  return run(std::move(request));
}

std::vector<goal> team::goals() {
  return value(ask(host->cortex(), list_goals{as_daemon("probe"), {}})).goals;
}

std::vector<fact> team::facts() {
  query_facts request;
  request.by = as_daemon("probe");
  request.limit = 1000;
  return value(ask(host->facts(), std::move(request))).facts;
}

size_t team::traced(std::string_view operation, std::string_view status) const {
  size_t count = 0;
  for (const auto& x : trace->entries())
    count += x.operation == operation && (status.empty() || x.status == status) ? 1 : 0;
  return count;
}

planned_call call(std::string tool, json::object inputs, std::string id) {
  planned_call x;
  x.call_id = std::move(id);
  x.tool_id = std::move(tool);
  x.inputs = std::move(inputs);
  return x;
}

observation_draft draft(
  std::string type, std::string content, double confidence, std::vector<std::string> tags) {
  observation_draft x;
  x.type = std::move(type);
  x.content = std::move(content);
  x.confidence = confidence;
  x.tags = std::move(tags);
  return x;
}

} // namespace scratchpage::test
