#include <utility>
#include <vector>

#include "scratchpage/messages/memory_operations.hpp"
#include "scratchpage/runtime/api/handler.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

/// The operations of facts.

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

constexpr auto facts = &operations_parts::facts;

} // namespace

std::vector<operation> fact_operations() {
  using enum effect;
  using enum arguments_in;
  return {
    {.name = "query_facts",
      .description = "What is known: facts, who said so, since when",
      .least = role::daemon,
      .routes = {{"GET", "/v1/agents/{agent}/facts", query}},
      .performed = performed_by<facts, find>()},
    {.name = "add_fact",
      .description = "Keep what holds beyond this conversation",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"POST", "/v1/agents/{agent}/facts", body, 201}},
      .performed = passed_on<facts, add_fact, fact>()},
    {.name = "update_fact",
      .description = "Correct a fact, or say that it has ended",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"PATCH", "/v1/agents/{agent}/facts/{fact_id}", body}},
      .performed = passed_on<facts, update_fact, fact>()},
  };
}

} // namespace scratchpage
