#include <utility>
#include <vector>

#include "scratchpage/actors/memory/fact_rules.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/memory_operations.hpp"
#include "scratchpage/runtime/api/handler.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

/// The operations of facts and episodes, and of all memories together.

namespace scratchpage {

namespace {

answer_of<fact_list> find(
  operation_run& run, const semantic_memory_actor& facts, fact_arguments given) {
  query_facts request;
  request.by = run.by();
  request.text = std::move(given.query);
  request.selects = true;
  request.user_id = std::move(given.user_id);
  request.tags = std::move(given.tags);
  request.min_confidence = given.min_confidence;
  request.limit = given.limit;
  request.cursor = std::move(given.cursor);
  return run.ask<fact_list>(facts, std::move(request));
}

answer_of<episode_list> find_episodes(
  operation_run& run, const episodic_memory_actor& episodes, episode_arguments given) {
  query_episodes request;
  request.by = run.by();
  request.text = std::move(given.query);
  request.turn_id = std::move(given.turn_id);
  request.tags = std::move(given.tags);
  request.after = given.after;
  request.before = given.before;
  request.limit = given.limit;
  request.cursor = std::move(given.cursor);
  auto err = check_query_text(request.text, "query");
  if (!err)
    err = check_turn_id(request.turn_id);
  if (!err) // the tags are those of observations
    err = check_filter(observation_filter{.tags = request.tags}, {});
  if (err)
    return err;
  return run.ask<episode_list>(episodes, std::move(request));
}

/// Checks the first fact of an agent that does not exist yet.
caf::error check_fact(const call_operation& x, const config&) {
  auto given = read_arguments<arguments_of<add_fact>>(x.operation, json::value(x.arguments));
  if (!given)
    return given.error();
  given->by = x.by;
  return check_request(*given);
}

constexpr auto facts = &operations_parts::facts;
constexpr auto episodes = &operations_parts::episodes;
constexpr auto memories = &operations_parts::memories;

} // namespace

std::vector<operation> fact_operations() {
  using enum effect;
  using enum arguments_in;
  return {
    {.name = "query_facts",
      .description = "Facts: what is so, who said it, since when",
      .also_called = "list_facts get_facts find_facts facts search_facts",
      .finds = "fact_id",
      .least = role::daemon,
      .routes = {{"GET", "/v1/agents/{agent}/facts", query}},
      .performed = performed_by<facts, find>()},
    {.name = "add_fact",
      .description = "Keep a fact, which holds beyond this conversation",
      .for_models = "Preferences, people, ways of working",
      .also_called = "create_fact save_fact store_fact learn_fact",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"POST", "/v1/agents/{agent}/facts", body, 201}},
      .performed = passed_on<facts, add_fact, fact>(),
      .check_first = check_fact},
    {.name = "update_fact",
      .description = "Correct a fact of your own, or say that it has ended",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"PATCH", "/v1/agents/{agent}/facts/{fact_id}", body}},
      .performed = passed_on<facts, update_fact, fact>()},
    {.name = "query_episodes",
      .description = "What happened in earlier turns",
      .least = role::daemon,
      .routes = {{"GET", "/v1/agents/{agent}/episodes", query}},
      .performed = performed_by<episodes, find_episodes>()},
    {.name = "search_memory",
      .description = "Find what is known anywhere, the closest first",
      .for_models = "In observations, past turns and facts; recall is the same in short",
      .also_called = "find_memory query_memory memory_search",
      .least = role::daemon,
      .routes = {{"GET", "/v1/agents/{agent}/memory/search", query},
        {"POST", "/v1/agents/{agent}/memory/search", body}},
      .performed = passed_on<memories, search_memory, memory_hits>()},
  };
}

} // namespace scratchpage
