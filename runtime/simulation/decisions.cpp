#include "scratchpage/runtime/simulation/decisions.hpp"

#include <map>
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

/// Lists the goals of turns, one turn after the other.
class goal_changes {
public:
  json::object in(const played_turn& turn) {
    json::object result;
    for (auto name : {"opened", "changed", "completed", "blocked", "abandoned"})
      result[name] = json::array{};
    for (const auto& one : turn.result.goals) {
      auto known = known_.find(one.goal_id);
      auto before = known != known_.end() ? std::optional{known->second} : std::nullopt;
      auto listed = [&](std::string_view as) { result[as].as_array().emplace_back(brief(one)); };
      listed(change_of(one, before));
      // A goal may begin and end in one turn.
      if (!before && one.status != goal_status::pending && one.status != goal_status::in_progress)
        listed(change_of(one, goal_status::in_progress));
      known_[one.goal_id] = one.status;
    }
    return result;
  }

private:
  std::map<std::string, goal_status> known_;
};

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

} // namespace

json::array decisions_in(const std::string& conversation_id, const play_result& x) {
  json::array result;
  goal_changes goals;
  for (const auto& turn : x.turns)
    result.emplace_back(json::object{{"conversation", conversation_id}, {"turn", result.size()},
      {"urgency", name_of(turn.result.urgency)},
      {"assessment", text_member(turn.result.assessment, "outcome")}, {"goals", goals.in(turn)},
      {"waiting", waiting_in(turn, x.observations)}});
  return result;
}

} // namespace scratchpage
