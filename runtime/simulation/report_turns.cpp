#include "scratchpage/runtime/simulation/report_turns.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/turns/outside_work.hpp"
#include "scratchpage/actors/turns/response_questions.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/simulation/report_views.hpp"

namespace scratchpage {

/// A question of a turn.
struct report_turns::asked {
  std::string text;
  observation_ptr by{}; ///< its observation in the last form, or null
};

namespace {

std::pair<std::string, std::string> form_key(const observation& x) {
  return {x.observation_id, x.content};
}

/// What the question asks for; "" if it does not say so.
std::string asked_kind(const observation& x) {
  if (is_response_question(x))
    return text_member(x.metadata, "kind");
  return read_consent_question(x) ? "consent" : "";
}

/// How the question ended: as a response's question is answered, or as its observation is.
std::string asked_state(const observation& x) {
  if (auto as = text_member(x.metadata, "resolved_as"); !as.empty())
    return as;
  return is_live(x.status) ? "open" : to_string(x.status);
}

/// The ensemble's own words about the turn: the result's response without the warnings.
std::string own_summary(const turn_result& x) {
  std::string_view result{x.response};
  for (const auto& warning : x.warnings)
    if (result.starts_with(warning)) {
      result.remove_prefix(warning.size());
      result.remove_prefix(std::min(result.size(), result.find_first_not_of(' ')));
    }
  return std::string{result};
}

double number_member(const json::object& x, std::string_view name) {
  const auto* value = x.if_contains(name);
  boost::json::error_code ec;
  auto result = value != nullptr && value->is_number() ? value->to_number<double>(ec) : 0;
  return ec || !std::isfinite(result) ? 0 : result;
}

} // namespace

std::vector<observation_ptr> observations_of(const play_result& x) {
  auto all = x.observations;
  if (all.empty()) // the player records none: use those of the turns
    for (const auto& turn : x.turns)
      all.insert(all.end(), turn.result.observations.begin(), turn.result.observations.end());
  return all;
}

size_t open_questions(const play_result& x) {
  auto all = observations_of(x);
  return static_cast<size_t>(std::count_if(all.begin(), all.end(), [](const observation_ptr& one) {
    return one->type == "pending_confirmation" && is_live(one->status);
  }));
}

report_turns::report_turns(const play_result& result, report_limits limits, timestamp begin)
  : result_{result},
    limits_{limits},
    begin_{begin} {
  for (const auto& x : observations_of(result))
    if (x->type == "pending_confirmation")
      last_forms_.insert_or_assign(form_key(*x), x);
  for (size_t i = 0; i < result.turns.size(); ++i)
    if (auto input = first_of(result.turns[i].result.observations, "user_input"))
      inputs_.emplace(std::pair{result.turns[i].request.agent_id, input->observation_id}, i);
  for (size_t i = 0; i < result.turns.size(); ++i)
    note_answers(i);
}

/// Notes with the turns that answered the questions of this one what they answered.
void report_turns::note_answers(size_t turn) {
  const auto& asking = result_.turns[turn];
  for (const auto& one : questions_in(asking)) {
    auto told = shown(one, asking);
    if (const auto* at = told.if_contains("turn"))
      answers_[at->to_number<size_t>()].push_back(
        json::object{{"turn", turn}, {"text", told["text"]}, {"as", told["state"]}});
  }
}

json::object report_turns::next() {
  const auto& turn = result_.turns.at(next_);
  json::object x;
  x["id"] = turn.result.turn_id;
  x["agent"] = turn.request.agent_id;
  x["thread"] = turn.request.thread_id;
  x["from"] = short_number(since(turn.result.started_at));
  auto ended = duration_of(turn.result);
  x["to"] = short_number(since(turn.result.started_at) + ended.value_or(0));
  if (!ended)
    x["goes_on"] = true;
  x["status"] = to_string(turn.result.status);
  x["urgency"] = to_string(turn.result.urgency);
  tell_words(x, turn);
  if (auto routed = first_by("router", turn.result.observations, "routing_decision");
      routed && turn.result.urgency != urgency::low)
    x["routing"] = line(routed->content);
  tell_questions(x, turn, next_);
  x["calls"] = json::array{}; // the timeline expects a list
  put(x, "calls", calls_of(turn));
  put(x, "goals", goals_of(turn));
  ++next_;
  return x;
}

/// What both sides said, in between too, and what the ensemble says of it.
void report_turns::tell_words(json::object& x, const played_turn& turn) const {
  const auto& seen = turn.result.observations;
  x["input"] = words(turn.request.input);
  if (!turn.request.user_id.empty())
    x["user"] = line(turn.request.user_id);
  json::array warnings;
  for (const auto& warning : turn.result.warnings)
    warnings.emplace_back(line(warning));
  put(x, "warnings", std::move(warnings));
  json::array between;
  json::array recoveries;
  for (const auto& one : seen) {
    if (one->type == "progress" && !is_from_tool(*one))
      between.emplace_back(words(one->content));
    if (is_handlers_plan(*one))
      recoveries.emplace_back(line(one->content));
  }
  put(x, "between", std::move(between));
  put(x, "recoveries", std::move(recoveries));
  auto said = first_of(seen, "agent_response");
  if (said) {
    x["response"] = words(said->content);
    x["by"] = line(said->source.name);
  }
  auto judged = first_by("evaluator", seen, "evaluation_result");
  auto outcome = !said ? own_summary(turn.result) : judged ? judged->content : std::string{};
  if (!outcome.empty())
    x["outcome"] = line(outcome);
}

/// What the turn asks and answers, and what is still open from before.
void report_turns::tell_questions(json::object& x, const played_turn& turn, size_t index) const {
  json::array questions;
  for (const auto& one : questions_in(turn))
    questions.emplace_back(shown(one, turn));
  put(x, "questions", std::move(questions));
  if (auto answers = answers_.find(index); answers != answers_.end())
    put(x, "answers", answers->second);
  json::array waiting;
  for (const auto& one : turn.result.waiting)
    waiting.emplace_back(json::object{{"kind", name_of(one.kind)}, {"text", line(one.question)}});
  put(x, "waiting", std::move(waiting));
}

std::vector<report_turns::asked> report_turns::questions_in(const played_turn& turn) const {
  std::vector<asked> result;
  const auto& seen = turn.result.observations;
  for (const auto& question : turn.result.questions) {
    auto is_it = [&](const observation_ptr& x) {
      return x->type == "pending_confirmation" && question_of(*x) == question;
    };
    auto found = std::find_if(seen.begin(), seen.end(), is_it);
    if (found == seen.end()) {
      result.push_back({question});
      continue;
    }
    auto last = last_forms_.find(form_key(**found));
    result.push_back({(*found)->content, last != last_forms_.end() ? last->second : *found});
  }
  return result;
}

/// A question with who asks it, what it asks for, how it ended, and the turn that answered it.
json::object report_turns::shown(const asked& x, const played_turn& turn) const {
  json::object result{{"by", x.by ? line(said_by(x.by->source)) : ""}, {"text", line(x.text)}};
  if (!x.by)
    return result;
  if (auto kind = asked_kind(*x.by); !kind.empty())
    result["kind"] = kind;
  result["state"] = asked_state(*x.by);
  auto answer = inputs_.find({turn.request.agent_id, text_member(x.by->metadata, "answer_id")});
  if (answer != inputs_.end())
    result["turn"] = answer->second;
  return result;
}

json::array report_turns::calls_of(const played_turn& turn) const {
  json::array result;
  std::set<std::string> known;
  for (const auto& call : turn.calls) {
    known.insert(call.call_id);
    json::object x{{"tool", call.tool_id}, {"status", to_string(call.status)},
      {"from", short_number(call.started_at == timestamp{} ? 0 : since(call.started_at))},
      {"ms", short_number(call.duration_ms)}};
    if (!call.has_answer)
      x["status"] = "unanswered";
    if (call.attempts != 1)
      x["attempts"] = call.attempts;
    if (!call.error.empty())
      x["error"] = utf8::shortened(one_line(call.error), limits_.detail_bytes);
    if (!call.recovered_by.empty())
      x["recovered_by"] = call.recovered_by;
    result.push_back(std::move(x));
  }
  for (const auto& one : turn.result.observations)
    if (is_reported(*one) && known.insert(text_member(one->metadata, "call_id")).second)
      result.push_back(reported(*one));
  return result;
}

/// A call that the agent made itself.
json::object report_turns::reported(const observation& x) const {
  auto ms = number_member(x.metadata, "duration_ms");
  json::object result{{"tool", line(text_member(x.metadata, "tool_id"))},
    {"status", line(text_member(x.metadata, "status"))},
    {"from", short_number(std::max(0.0, since(x.created_at) - ms))}, {"ms", short_number(ms)},
    {"reported", true}};
  if (auto error = text_member(x.metadata, "error"); !error.empty())
    result["error"] = utf8::shortened(one_line(error), limits_.detail_bytes);
  return result;
}

json::array report_turns::goals_of(const played_turn& turn) {
  json::array result;
  for (const auto& x : goals_.in(turn.result))
    result.emplace_back(json::object{{"what", x.what}, {"title", line(x.now->title)}});
  return result;
}

bool report_turns::has_calls() const {
  return std::any_of(result_.turns.begin(), result_.turns.end(), [](const played_turn& x) {
    const auto& seen = x.result.observations;
    return !x.calls.empty()
           || std::any_of(seen.begin(), seen.end(),
             [](const observation_ptr& one) { return is_reported(*one); });
  });
}

/// Adds a list that is not empty. Of a long one the first entries are kept, and the others counted.
void report_turns::put(json::object& to, const std::string& name, json::array list) const {
  if (list.empty())
    return;
  if (list.size() > limits_.entries) {
    to["more_" + name] = list.size() - limits_.entries;
    list.resize(limits_.entries);
  }
  to[name] = std::move(list);
}

/// What somebody said, with its line ends.
std::string report_turns::words(const std::string& text) const {
  return utf8::shortened(utf8::is_valid(text) ? text : one_line(text), limits_.said_bytes);
}

std::string report_turns::line(const std::string& text) const {
  return utf8::shortened(one_line(text), limits_.text_bytes);
}

double report_turns::since(timestamp at) const {
  return in_milliseconds(at - begin_);
}

} // namespace scratchpage
