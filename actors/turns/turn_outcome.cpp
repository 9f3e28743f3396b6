#include "scratchpage/actors/turns/turn_outcome.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "scratchpage/actors/turns/turn_calls.hpp"
#include "scratchpage/actors/turns/turn_input.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/component_names.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/messages/observation_size.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

bool is_from_ensemble(const observation& x) {
  return x.source.kind == source_kind::daemon && is_component(x.source.name);
}

/// Whether the ensemble asks, or a tool that it has called: those from outside are in no turn.
bool is_asked_by_team(const observation& x) {
  return is_from_ensemble(x) || (is_from_tool(x) && !x.source.turn_id.empty());
}

bool is_open_question(const observation& x) {
  return x.type == "pending_confirmation" && is_live(x.status);
}

void append(std::string& to, std::string_view sentence) {
  to.append(to.empty() ? "" : " ").append(sentence);
}

/// What the turn answers when somebody asks something: that answers of the user were not heard,
/// and the questions. If only others ask, what the Evaluator says stays before their questions.
std::string asking_response(const turn_result& x, bool does_team_ask) {
  std::string result = does_team_ask ? "" : x.response;
  if (does_team_ask)
    for (const auto& one : x.observations)
      if (is_about_unheard(*one))
        append(result, one->content);
  for (const auto& question : x.questions)
    append(result, question);
  return result;
}

} // namespace

std::string question_of(const observation& x) {
  return is_from_ensemble(x) ? x.content : x.source.name + " asks: " + x.content;
}

void read_outcome(turn_result& x, bool is_whole) {
  const auto& turn = x.observations;
  if (auto routing = first_by("router", turn, "routing_decision"))
    from_string(text_member(routing->metadata, "urgency"), x.urgency);
  for (auto of_team : {true, false})
    for (const auto& one : turn)
      if (is_open_question(*one) && is_asked_by_team(*one) == of_team)
        x.questions.push_back(question_of(*one));
  auto evaluation = first_by("evaluator", turn, "evaluation_result");
  if (evaluation) {
    x.assessment = evaluation->metadata;
    x.response = evaluation->content;
  }
  if (x.status == turn_status::timed_out)
    return;
  if (!evaluation && !is_whole) {
    x.status = turn_status::more_work;
    x.response = "More work: what was done in the turn is not known";
  }
  if (!x.questions.empty()) {
    x.status = turn_status::needs_answer;
    x.response = asking_response(x, std::any_of(turn.begin(), turn.end(), [](const auto& one) {
      return is_open_question(*one) && is_asked_by_team(*one);
    }));
  } else if (text_member(x.assessment, "outcome") == "more_work") {
    x.status = turn_status::more_work;
  }
}

std::vector<observation_ptr> in_order(const turn_so_far& x) {
  std::vector<observation_ptr> result;
  std::merge(x.own.begin(), x.own.end(), x.others.begin(), x.others.end(),
    std::back_inserter(result), [](const observation_ptr& a, const observation_ptr& b) {
      return number_of(a->observation_id) < number_of(b->observation_id);
    });
  return result;
}

turn_summary summary_of(const episode& x) {
  turn_result told;
  told.observations = x.observations;
  read_outcome(told);
  turn_summary result;
  result.turn_id = x.turn_id;
  result.thread_id = x.thread_id;
  result.status = x.status.value_or(told.status);
  result.observations = x.observations.size() + x.left_out;
  result.started_at = x.started_at;
  result.ended_at = x.ended_at;
  if (auto input = first_of(x.observations, "user_input")) {
    result.input = utf8::prefix(input->content, turn_summary::input_bytes);
    result.user_id = text_member(input->context, "user_id");
  }
  if (first_by("router", x.observations, "routing_decision"))
    result.urgency = told.urgency;
  return result;
}

void take_goals(turn_result& to, std::vector<goal> goals) {
  for (const auto& goal : goals)
    for (const auto& action : goal.pending_actions)
      if (action.status == action_status::pending || action.status == action_status::in_progress)
        to.pending_actions.push_back(action);
  to.goals = std::move(goals);
}

std::vector<goal> those_about(
  const std::vector<observation_ptr>& observations, std::vector<goal> goals) {
  std::set<std::string_view> ids;
  for (const auto& x : observations)
    ids.insert(x->observation_id);
  std::erase_if(goals, [&](const goal& x) {
    return std::none_of(x.observation_ids.begin(), x.observation_ids.end(),
      [&](const std::string& id) { return ids.contains(id); });
  });
  return goals;
}

size_t memory_of(const turn_result& x) {
  auto result = sizeof(turn_result) + x.response.size() + memory_of(x.assessment);
  for (const auto& one : x.observations)
    result += memory_of(*one);
  for (const auto& one : x.goals) {
    result += sizeof(goal) + one.title.size() + one.description.size() + memory_of(one.context);
    for (const auto& evidence : one.evidence)
      result += sizeof(goal_evidence) + evidence.content.size();
  }
  return result;
}

} // namespace scratchpage
