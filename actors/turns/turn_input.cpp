#include "scratchpage/actors/turns/turn_input.hpp"

#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

constexpr std::array<std::string_view, 4> known_ids{"goal_id", "task_id", "thread_id", "user_id"};

bool is_of_daemon(const observation& x, std::string_view name) {
  return x.source.kind == source_kind::daemon && x.source.name == name;
}

list_archive questions_gone(const caller& by) {
  constexpr uint32_t most = 1000;
  list_archive result{.by = by, .filter = {}, .limit = most, .cursor = {}};
  result.filter.type = {"pending_confirmation"};
  return result;
}

} // namespace

void write_plan(observation_draft& input, const std::vector<planned_call>& plan) {
  if (!plan.empty())
    input.metadata["plan"] = to_json(plan);
}

caf::expected<std::vector<planned_call>> read_plan(const observation& input) {
  std::vector<planned_call> result;
  const auto* plan = input.metadata.if_contains("plan");
  if (plan == nullptr)
    return result;
  json_reader reader{errc::invalid_request};
  if (!reader.read(*plan, result))
    return reader.error();
  return result;
}

void write_owner(observation_draft& input) {
  input.metadata["by_owner"] = true;
}

std::string input_of(const observation& routing_decision) {
  return text_member(routing_decision.metadata, "input_id");
}

caller speaker_of(const observation& input, const caller& me) {
  auto result = me;
  result.kind = input.source.kind;
  result.name = input.source.name;
  result.relayed_by = input.source.relayed_by;
  return result;
}

bool is_routers_decision(const observation& x) {
  return x.type == "routing_decision" && is_of_daemon(x, "router");
}

bool is_handlers_plan(const observation& x) {
  return x.type == "recovery_plan" && is_of_daemon(x, "error_handler");
}

bool is_executors_alert(const observation& x) {
  return x.type == "error_alert" && is_of_daemon(x, "executor");
}

bool is_evaluators_result(const observation& x) {
  return x.type == "evaluation_result" && is_of_daemon(x, "evaluator");
}

bool is_result_of_call(const observation& x) {
  return x.type == "tool_result" && is_from_tool(x) && !text_member(x.metadata, "call_id").empty()
         && text_member(x.metadata, "tool_id") == x.source.name;
}

void write_unheard(observation_draft& told) {
  told.metadata["verdict"] = "not_heard";
}

bool is_about_unheard(const observation& x) {
  return x.type == "constraint_check" && is_of_daemon(x, "executor")
         && text_member(x.metadata, "verdict") == "not_heard";
}

list_archive questions_gone_since(const caller& by, timestamp since) {
  auto result = questions_gone(by);
  result.filter.created_after = since - std::chrono::milliseconds{1};
  return result;
}

list_archive questions_gone_of(const caller& by, std::string turn_id) {
  auto result = questions_gone(by);
  result.filter.turn_id = std::move(turn_id);
  return result;
}

json::object context_about(const observation& input) {
  json::object result;
  for (auto name : known_ids) {
    json::string_view key{name.data(), name.size()};
    const auto* id = input.context.if_contains(key);
    auto is_short =
      id != nullptr && id->is_string() && id->get_string().size() <= turn_limits::id_bytes;
    if (is_short || (id != nullptr && id->is_number()))
      result[key] = *id;
  }
  return result;
}

void write_resumed(observation_draft& plan, const std::vector<planned_call>& calls) {
  if (!calls.empty())
    plan.metadata["resumed"] = to_json(calls);
}

std::vector<planned_call> read_resumed(const observation& plan) {
  const auto* calls = plan.metadata.if_contains("resumed");
  if (calls == nullptr)
    return {};
  auto result = from_json<std::vector<planned_call>>(*calls);
  return result ? std::move(*result) : std::vector<planned_call>{};
}

std::string text_member(const json::object& x, std::string_view key) {
  const auto* value = x.if_contains(json::string_view{key.data(), key.size()});
  return value != nullptr && value->is_string() ? std::string{value->get_string()} : std::string{};
}

} // namespace scratchpage
