#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

namespace {

/// The built-in configuration, but its promotion rules promote whatever they select, whether or not
/// its text asks for a goal. For tests whose contents are no real ones.
config goals_by_rules() {
  auto result = default_config();
  auto& rules = result.promotion.rules;
  std::erase_if(rules, [](const promotion_rule& rule) { return rule.id == "defect"; });
  for (auto& rule : rules)
    rule.if_worth = false;
  return result;
}

} // namespace

team::team() {
  setup.agent_id = "tester";
  setup.config = goals_by_rules(); // most contents of the tests ask for nothing
}

void team::start() {
  testing::team::start(setup);
}

recorded_tool& team::add_tool(tool_manifest manifest, std::vector<recorded_response> responses) {
  setup.tools.push_back(testing::recorded(std::move(manifest), std::move(responses)));
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
  return value(testing::team::run(std::move(request)));
}

turn_result team::say(std::string input, std::vector<planned_call> plan) {
  return value(testing::team::say(std::move(input), std::move(plan)));
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
