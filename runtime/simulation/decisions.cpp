#include "scratchpage/runtime/simulation/decisions.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include "scratchpage/actors/turns/response_questions.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/enum_names.hpp"

namespace scratchpage {

namespace {

/// What a goal of a turn's result is listed as. `before` is its status when the turn began, nothing
/// if there was no such goal.
std::string_view change_of(const goal& now, const std::optional<goal_status>& before) {
  if (!before)
    return "opened";
  if (*before == now.status)
    return "changed";
  switch (now.status) {
  case goal_status::completed:
    return "completed";
  case goal_status::abandoned:
    return "abandoned";
  case goal_status::blocked:
    return "blocked";
  default:
    return "changed";
  }
}

json::object brief(const goal& x) {
  return {{"goal_id", x.goal_id}, {"title", x.title}, {"status", name_of(x.status)}};
}

json::object goals_in(const turn_result& turn, goal_changes& changes) {
  json::object result;
  for (auto name : {"opened", "changed", "completed", "blocked", "abandoned"})
    result[name] = json::array{};
  for (const auto& x : changes.in(turn))
    result[x.what].as_array().emplace_back(brief(*x.now));
  return result;
}

/// The questions that were asked and answered in a turn.
json::object waiting_in(const played_turn& turn, const std::vector<observation_ptr>& all) {
  json::array opened;
  json::array resolved;
  auto input = first_of(turn.result.observations, "user_input");
  for (const auto& x : all) {
    if (!is_response_question(*x))
      continue;
    if (x->source.turn_id == turn.result.turn_id)
      opened.emplace_back(json::object{{"observation_id", x->observation_id},
        {"kind", text_member(x->metadata, "kind")}, {"question", x->content}});
    if (input && text_member(x->metadata, "answer_id") == input->observation_id)
      resolved.emplace_back(json::object{
        {"observation_id", x->observation_id}, {"as", text_member(x->metadata, "resolved_as")}});
  }
  return {{"opened", std::move(opened)}, {"resolved", std::move(resolved)}};
}

/// The calls whose results are not known.
json::array unanswered_in(const played_turn& turn) {
  json::array result;
  for (const auto& x : turn.calls)
    if (!x.has_answer)
      result.emplace_back(json::object{{"call_id", x.call_id}, {"tool_id", x.tool_id}});
  return result;
}

} // namespace

std::vector<goal_change> goal_changes::in(const turn_result& turn) {
  std::vector<goal_change> result;
  for (const auto& one : turn.goals) {
    auto known = known_.find(one.goal_id);
    auto before = known != known_.end() ? std::optional{known->second} : std::nullopt;
    result.push_back({change_of(one, before), &one});
    // A goal may begin and end in one turn.
    if (!before && one.status != goal_status::pending && one.status != goal_status::in_progress)
      result.push_back({change_of(one, goal_status::in_progress), &one});
    known_[one.goal_id] = one.status;
  }
  return result;
}

json::array decisions_in(const std::string& conversation_id, const play_result& x) {
  json::array result;
  goal_changes goals;
  for (const auto& turn : x.turns)
    result.emplace_back(json::object{{"conversation", conversation_id}, {"turn", result.size()},
      {"urgency", name_of(turn.result.urgency)},
      {"assessment", text_member(turn.result.assessment, "outcome")},
      {"goals", goals_in(turn.result, goals)}, {"waiting", waiting_in(turn, x.observations)},
      {"unanswered", unanswered_in(turn)}});
  return result;
}

} // namespace scratchpage
