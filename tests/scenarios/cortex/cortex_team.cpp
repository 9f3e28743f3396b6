#include "scratchpage/tests/scenarios/cortex/cortex_team.hpp"

#include <algorithm>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/json/json_text.hpp"

namespace scratchpage::test {

texts ids_of(const std::vector<observation_ptr>& xs) {
  texts result;
  result.reserve(xs.size());
  for (const auto& x : xs)
    result.push_back(x->observation_id);
  return result;
}

texts contents_of(const std::vector<observation_ptr>& xs) {
  texts result;
  result.reserve(xs.size());
  for (const auto& x : xs)
    result.push_back(x->content);
  return result;
}

texts in_order(texts xs) {
  std::sort(xs.begin(), xs.end());
  return xs;
}

texts contents_in_context(const goal& x) {
  texts result;
  for (const auto& one : x.context.at("observations").as_array())
    result.push_back(text_at(one.as_object(), "content"));
  return result;
}

observation_draft in_context(observation_draft x, json::object context) {
  x.context = std::move(context);
  return x;
}

observation_draft insight(std::string content, double confidence, std::vector<std::string> tags,
  const std::string& goal_id) {
  auto result = draft("contextual_insight", std::move(content), confidence, std::move(tags));
  if (!goal_id.empty())
    result.context["goal_id"] = goal_id;
  return result;
}

recorded_response reporting(const std::vector<observation_draft>& drafts) {
  recorded_response result;
  result.outputs["found"] = drafts.size();
  for (const auto& one : drafts)
    result.scratch_page_writes.push_back(to_json(one));
  return result;
}

std::vector<trace_entry> entries_of(const memory_trace& trace, std::string_view operation) {
  auto result = trace.entries();
  std::erase_if(result, [&](const trace_entry& x) { return x.operation != operation; });
  return result;
}

std::vector<trace_entry> entries_about(
  const memory_trace& trace, std::string_view operation, const observation_ptr& x) {
  auto result = entries_of(trace, operation);
  std::erase_if(result, [&](const trace_entry& one) {
    if (text_at(one.detail, "observation_id") == x->observation_id)
      return false;
    const auto* ids = one.detail.if_contains("observation_ids");
    if (ids == nullptr)
      return true;
    const auto& list = ids->as_array();
    return std::none_of(list.begin(), list.end(),
      [&](const json::value& id) { return std::string_view{id.as_string()} == x->observation_id; });
  });
  return result;
}

cortex_team::cortex_team() {
  setup.config.durability.max_batch = 1; // a refused write fails no other one
  setup.kept.journal = own(spawn_journal(sys, journal));
  setup.kept.goals = store;
  setup.config.promotion.min_confidence = 0.9;
}

void cortex_team::start_on(std::shared_ptr<const scratchpage::clock> its_clock) {
  setup.clock = std::move(its_clock);
  setup.trace = trace;
  setup.allow_threads = false;
  host = std::make_unique<ensemble>(sys, setup);
  settle();
}

observation_ptr cortex_team::note(observation_draft x) {
  return add(as_tool("wine_search"), std::move(x)).observation;
}

observation_ptr cortex_team::note(std::string content, double confidence,
  std::vector<std::string> tags, const std::string& goal_id) {
  return note(insight(std::move(content), confidence, std::move(tags), goal_id));
}

std::vector<observation_ptr> cortex_team::note_all(std::vector<observation_draft> drafts) {
  std::vector<observation_ptr> result;
  add_observations request{as_tool("wine_search"), std::move(drafts)};
  for (auto& one : value(ask(host->page(), std::move(request))).outcomes) {
    BOOST_REQUIRE(!one.error);
    result.push_back(std::move(one.stored.observation));
  }
  return result;
}

turn_result cortex_team::use(std::string tool_id) {
  return say("Go ahead", {call(std::move(tool_id))});
}

observation_ptr cortex_team::get(const observation_ptr& x) {
  return value(ask(host->page(), get_observation{as_daemon("probe"), x->observation_id}));
}

observation_ptr cortex_team::still(const observation_ptr& x) {
  auto result = get(x);
  BOOST_REQUIRE(result);
  return result;
}

query_result cortex_team::tagged(std::vector<std::string> tags) {
  observation_filter filter;
  filter.tags = std::move(tags);
  return query(std::move(filter));
}

query_result cortex_team::about_goal(const std::string& goal_id) {
  observation_filter filter;
  filter.context["goal_id"] = json::value(goal_id);
  return query(std::move(filter));
}

observation_ptr cortex_team::only(std::string type) {
  auto found = of_type(std::move(type));
  BOOST_REQUIRE(found.size() == 1u);
  return found.front();
}

goal cortex_team::only_goal() {
  auto all = goals();
  std::erase_if(all, [](const goal& x) { return x.goal_type == "wish"; }); // of the user's words
  BOOST_REQUIRE(all.size() == 1u);
  return all.front();
}

goal cortex_team::goal_of(const std::string& goal_id) {
  auto all = goals();
  auto i =
    std::find_if(all.begin(), all.end(), [&](const goal& x) { return x.goal_id == goal_id; });
  BOOST_REQUIRE(i != all.end());
  return *i;
}

goal cortex_team::make_goal(std::string goal_id, std::vector<pending_action> actions) {
  goal draft;
  draft.goal_id = draft.goal_type = std::move(goal_id);
  draft.title = "Find a wine for dinner";
  draft.pending_actions = std::move(actions);
  return value(ask(host->cortex(), create_goal{as_daemon("planner"), std::move(draft)}));
}

std::vector<observation_ptr> cortex_team::archive() {
  list_archive request;
  request.by = as_daemon("probe");
  request.limit = 1000;
  return value(ask(host->page(), std::move(request))).observations;
}

status cortex_team::archived_as(const observation_ptr& x) {
  for (const auto& one : archive())
    if (one->observation_id == x->observation_id)
      return one->status;
  BOOST_FAIL("not in the archive: " + x->observation_id);
  return {};
}

std::vector<trace_entry> cortex_team::entries(std::string_view operation) const {
  return entries_of(*trace, operation);
}

std::vector<trace_entry> cortex_team::about(
  std::string_view operation, const observation_ptr& x) const {
  return entries_about(*trace, operation, x);
}

trace_entry cortex_team::only_entry(std::string_view operation) const {
  auto found = entries(operation);
  BOOST_REQUIRE(found.size() == 1u);
  return found.front();
}

trace_entry cortex_team::only_entry(std::string_view operation, const observation_ptr& x) const {
  auto found = about(operation, x);
  BOOST_REQUIRE(found.size() == 1u);
  return found.front();
}

assembled_context cortex_team::context_for(std::string prompt, uint32_t budget) {
  return value(
    ask(host->working_memory(), assemble_context{as_daemon("probe"), std::move(prompt), budget}));
}

} // namespace scratchpage::test
