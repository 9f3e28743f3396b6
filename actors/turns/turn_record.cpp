#include "scratchpage/actors/turns/turn_record.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "scratchpage/actors/policies/call_plan.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/actors/turns/interruption.hpp"
#include "scratchpage/actors/turns/outside_work.hpp"
#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/actors/turns/turn_warnings.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr std::array<std::string_view, 4> known_ids{"goal_id", "task_id", "thread_id", "user_id"};

bool is_of_daemon(const observation& x, std::string_view name) {
  return x.source.kind == source_kind::daemon && x.source.name == name;
}

list_archive questions_gone(const caller& by) {
  constexpr uint32_t max_results = 1000;
  list_archive result{.by = by, .filter = {}, .limit = max_results, .cursor = {}};
  result.filter.type = {"pending_confirmation"};
  return result;
}

using ids = std::vector<std::string>;
using ids_by_alert = std::map<std::string, ids>; ///< call ids, by alerts about several calls

bool is_about_several(const observation& x) {
  return is_executors_alert(x) && x.metadata.contains("call_ids");
}

/// The ids of the calls in one alert of the Executor about unknown tools.
ids ids_in(const observation& alert) {
  ids result;
  const auto* list = alert.metadata.if_contains("call_ids");
  if (list == nullptr || !list->is_array())
    return result;
  for (const auto& id : list->get_array())
    if (id.is_string())
      result.emplace_back(id.get_string());
  return result;
}

/// The ids of the calls that `x` is about: the one that it names, or those of its alert.
ids concerned(const observation& x, const ids_by_alert& several) {
  auto id = text_member(x.metadata, "call_id");
  if (!id.empty())
    return {id};
  auto alert = is_handlers_plan(x) ? text_member(x.metadata, "error_alert_id") : x.observation_id;
  auto found = several.find(alert);
  return found != several.end() ? found->second : ids{};
}

call_record* find(std::vector<call_record>& calls, const std::string& id) {
  auto i = std::find_if(
    calls.begin(), calls.end(), [&](const call_record& call) { return call.call_id == id; });
  return i == calls.end() ? nullptr : &*i;
}

void add_duration(call_record& call, const observation& x) {
  if (const auto* took = x.metadata.if_contains("duration_ms"); took && took->is_number())
    call.duration_ms += took->to_number<double>();
}

/// Whether `x` says that a call has failed: one of the Executor's, or one that was reported.
bool is_alert_of_call(const observation& x) {
  return is_executors_alert(x) || (x.type == "error_alert" && is_reported(x));
}

/// What the call was made with, and what the tool answered.
void take_data(call_record& call, const observation& x) {
  for (const auto& [name, to] : {std::pair{"inputs", &call.inputs}, {"outputs", &call.outputs}})
    if (const auto* data = x.metadata.if_contains(name); data != nullptr && data->is_object())
      *to = data->get_object();
}

/// Adds to a call's record what `x` tells about it. Anybody may add observations of these types to
/// a turn, so the sources are checked.
void note(call_record& call, const observation& x) {
  if (is_result_of_call(x)) {
    call.tool_id = text_member(x.metadata, "tool_id");
    take_data(call, x);
    auto status = tool_status::ok;
    from_string(text_member(x.metadata, "status"), status);
    call.outcome =
      is_unanswered(status, call.outputs) ? call_outcome::unanswered : call_outcome::succeeded;
    add_duration(call, x);
  } else if (is_alert_of_call(x)) {
    // A late alert of an earlier attempt does not undo a success.
    if (call.outcome != call_outcome::succeeded)
      call.outcome = call_outcome::failed;
    call.attempts = call.error.empty() ? 1 : call.attempts + 1;
    if (x.metadata.contains("call_id"))
      call.tool_id = text_member(x.metadata, "tool_id");
    call.error = text_member(x.metadata, "error");
    take_data(call, x);
    call.observation_ids.push_back(x.observation_id);
    add_duration(call, x);
  } else if (is_handlers_plan(x)) {
    error_class kind{};
    if (from_string(text_member(x.metadata, "error_class"), kind))
      call.kind = kind;
    recovery_action action{};
    if (from_string(text_member(x.metadata, "action"), action))
      call.action = action;
    call.observation_ids.push_back(x.observation_id);
  }
}

/// Whether the question is by the ensemble, or by a tool that it called: observations of tools from
/// outside have no turn.
bool is_asked_by_team(const observation& x) {
  return is_of_ensemble(x.source) || (is_from_tool(x) && !x.source.turn_id.empty());
}

bool is_open_question(const observation& x) {
  return x.type == "pending_confirmation" && is_live(x.status);
}

/// The calls that an agent outside has made itself, in the order of their reports.
std::vector<planned_call> reported_calls(const std::vector<observation_ptr>& turn) {
  std::vector<planned_call> result;
  for (const auto& x : turn) {
    if (!is_reported(*x))
      continue;
    planned_call call;
    call.call_id = text_member(x->metadata, "call_id");
    call.tool_id = text_member(x->metadata, "tool_id");
    result.push_back(std::move(call));
  }
  return result;
}

void append(std::string& to, std::string_view sentence) {
  to.append(to.empty() ? "" : " ").append(sentence);
}

/// The response of a turn that has questions: which answers of the user were not taken, and the
/// questions. If only others ask, the Evaluator's summary comes before their questions.
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

/// What the agent said, and the questions that others ask in the turn.
std::string with_questions(std::string response, const std::vector<std::string>& questions) {
  for (const auto& one : questions)
    if (response.find(one) == std::string::npos)
      append(response, one);
  return response;
}

/// The status of a turn that has ended, by the Evaluator's assessment.
turn_status status_of(const json::object& assessment) {
  evaluation_outcome outcome = evaluation_outcome::complete;
  from_string(text_member(assessment, "outcome"), outcome);
  return outcome == evaluation_outcome::complete  ? turn_status::complete
         : outcome == evaluation_outcome::waiting ? turn_status::waiting
                                                  : turn_status::more_work;
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

std::vector<call_record> calls_of(const std::vector<observation_ptr>& turn) {
  std::vector<call_record> result;
  auto input = first_of(turn, "user_input");
  auto planned = input ? read_plan(*input) : std::vector<planned_call>{};
  auto plan = planned ? call_plan::make(std::move(*planned)) : planned.error();
  if (!plan)
    return result;
  if (auto execution = execution_of(turn))
    for (auto& call : read_resumed(*execution))
      plan->append(std::move(call));
  for (auto& call : reported_calls(turn))
    if (plan->find(call.call_id) == nullptr)
      plan->append(std::move(call));
  for (const auto* call : plan->calls()) {
    call_record record;
    record.call_id = call->call_id;
    record.planned_tool = record.tool_id = call->tool_id;
    record.outcome = call_outcome::skipped;
    record.inputs = call->inputs;
    result.push_back(std::move(record));
  }
  auto ordered = turn;
  std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return a->observation_id.size() != b->observation_id.size()
             ? a->observation_id.size() < b->observation_id.size()
             : a->observation_id < b->observation_id;
  });
  ids_by_alert several;
  for (const auto& x : ordered) {
    if (is_about_several(*x))
      several.emplace(x->observation_id, ids_in(*x));
    for (const auto& id : concerned(*x, several))
      if (auto* call = find(result, id))
        note(*call, *x);
  }
  for (auto& call : result)
    if (call.outcome == call_outcome::succeeded && !call.error.empty())
      ++call.attempts; // the one that worked
  return result;
}

observation_ptr first_of(const std::vector<observation_ptr>& turn, std::string_view type) {
  auto i = std::find_if(
    turn.begin(), turn.end(), [&](const auto& x) { return x->type == type && !is_from_tool(*x); });
  return i == turn.end() ? observation_ptr{} : *i;
}

observation_ptr execution_of(const std::vector<observation_ptr>& turn) {
  return first_by("executor", turn, "execution_plan");
}

observation_ptr first_by(
  std::string_view daemon, const std::vector<observation_ptr>& turn, std::string_view type) {
  auto i = std::find_if(turn.begin(), turn.end(), [&](const auto& x) {
    return x->type == type && x->source.kind == source_kind::daemon && x->source.name == daemon;
  });
  return i == turn.end() ? observation_ptr{} : *i;
}

std::string question_of(const observation& x) {
  return is_of_ensemble(x.source) ? x.content : x.source.name + " asks: " + x.content;
}

namespace {

/// What `read_outcome` does without the warnings.
void read_status(turn_result& x, bool is_whole) {
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
  if (auto cut = interruption_of(turn); cut && !evaluation) {
    x.status = turn_status::more_work;
    x.response = cut->content;
  }
  if (!evaluation && !is_whole) {
    x.status = turn_status::more_work;
    x.response = "More work: what was done in the turn is not known";
  }
  if (auto said = first_of(turn, "agent_response")) {
    x.response = with_questions(said->content, x.questions);
    x.status = x.questions.empty() ? status_of(x.assessment) : turn_status::waiting;
  } else if (!x.questions.empty()) {
    x.status = turn_status::waiting;
    x.response = asking_response(x, std::any_of(turn.begin(), turn.end(), [](const auto& one) {
      return is_open_question(*one) && is_asked_by_team(*one);
    }));
  } else if (evaluation) {
    x.status = status_of(x.assessment);
  }
}

} // namespace

void read_outcome(turn_result& x, bool is_whole) {
  read_status(x, is_whole);
  begin_with_warnings(x);
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
  for (const auto& one : x.warnings)
    result += one.size();
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
