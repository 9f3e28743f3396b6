#include "scratchpage/runtime/mcp/server/turn_calls.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/tool_help.hpp"
#include "scratchpage/runtime/mcp/server/tool_result.hpp"

namespace scratchpage::mcp {

namespace {

constexpr const char* beginning = "begin_turn";
constexpr const char* ending = "end_turn";
constexpr const char* awaiting = "await_turn";
constexpr const char* given_up =
  "The client has cancelled. The turn goes on to its end, and what it adds stays on the page.";

constexpr size_t max_kept = 64u << 10; // bytes of a result that a client carries

/// The result of a turn without its lists: what a client gets once more after it was asked, if the
/// turn is still open.
std::string in_short(const json::object& turn) {
  json::object result;
  for (const auto* name : {"turn_id", "status", "response", "urgency", "questions"})
    if (const auto* x = member(turn, name))
      result[name] = *x;
  auto text = to_text(json::value(result));
  if (text.size() <= max_kept)
    return text;
  result.erase("response");
  result.erase("questions");
  return to_text(json::value(std::move(result)));
}

/// Adds a member, which is JSON, to the JSON of an object that has members.
std::string with_member(std::string object, std::string_view name, std::string_view member) {
  object.pop_back();
  return object.append(",\"").append(name).append("\":").append(member).append(1, '}');
}

bool may_ask(const call& by, std::string_view text) {
  return by.client_shows_forms() && text.find("pending_confirmation") != std::string_view::npos;
}

} // namespace

bool turn_calls::has(std::string_view tool) {
  return tool == beginning || tool == ending;
}

void turn_calls::begin(const std::string& tool, const json::object& arguments, const call_ptr& by) {
  if (by->kept())
    return go_on(by);
  begin_task_later(by);
  perform_(by->who(), tool, arguments, [self = shared_from_this(), by, tool](const answer_text& x) {
    if (x)
      self->take(by, x);
    else
      by->give(tool_help{least_audience(by->who())}.refusal(x.error(), tool));
  });
}

void turn_calls::begin_task_later(const call_ptr& by) const {
  if (!by->takes_task())
    return;
  by->on()->after(patience, [weak = std::weak_ptr{by}] {
    if (auto one = weak.lock(); one && one->become_task("The turn is at work."))
      one->say_if_cancelled(given_up);
  });
}

/// Takes the first answer about a turn, which need not be its result.
void turn_calls::take(const call_ptr& by, const answer_text& answer) {
  if (!answer)
    return by->give(tool_refusal(describe(answer.error())));
  if (!by->takes_task() && !may_ask(*by, *answer))
    return by->give_members(tool_result(*answer));
  auto parsed = parse_result(answer);
  if (!parsed || !parsed->is_object())
    return by->give_members(tool_result(*answer));
  const auto& turn = parsed->get_object();
  auto id = std::string{text_of(turn, "turn_id")};
  auto status = text_of(turn, "status");
  if (by->is_over()) { // nobody will end the turn that a cancelled task holds
    if (by->is_task() && status == "held")
      let_go(by->who(), id);
    return;
  }
  if (status == "background" && by->is_task())
    by->say("The turn " + id + " is at work.");
  else if (status == "background" && by->become_task("The turn " + id + " is at work."))
    by->say_if_cancelled(given_up);
  if (status == "background" && by->is_task()) {
    let_go_if_cancelled(by, id);
    return follow(by, id);
  }
  ask_for_consent(by, *answer, turn);
}

/// Waits for the result of a turn that was answered early.
void turn_calls::follow(const call_ptr& by, const std::string& turn_id) {
  perform_(by->who(), awaiting, {{"turn_id", turn_id}},
    [self = shared_from_this(), by, turn_id](const answer_text& x) {
      if (by->is_over())
        return;
      if (!x && code_of(x.error()) == errc::deadline_exceeded)
        return self->follow(by, turn_id); // the turn may last longer than one call
      self->take(by, x);
    });
}

void turn_calls::let_go(const principal& who, const std::string& turn_id) const {
  perform_(who, ending, {{"turn_id", turn_id}}, [](const answer_text&) {});
}

/// Lets a turn end that is held for a task, if the client cancels the task.
void turn_calls::let_go_if_cancelled(const call_ptr& by, const std::string& turn_id) {
  by->on_cancel([self = shared_from_this(), weak = std::weak_ptr{by}, turn_id] {
    if (auto one = weak.lock(); one && one->is_task())
      self->let_go(one->who(), turn_id);
  });
}

// -- consent -------------------------------------------------------------------------------------

void turn_calls::ask_for_consent(
  const call_ptr& by, const std::string& text, const json::object& turn) {
  questions forms;
  asked_consents asked;
  if (may_ask(*by, text))
    asked = consents_.take(by->who(), turn, forms);
  if (asked.empty())
    return by->give_members(tool_result(text));
  auto id = std::string{text_of(turn, "turn_id")};
  json::object keep{{"asked", to_kept(asked)}, {"turn_id", id}};
  if (text_of(turn, "status") == "held") {
    keep["result"] = in_short(turn);
    if (by->is_task())
      by->on_cancel([self = shared_from_this(), who = by->who(), id] { self->let_go(who, id); });
  }
  by->ask_if_possible(
    forms, std::move(keep), [self = shared_from_this(), by, text, asked](const answers& got) {
      self->settle(by, text, asked, got);
    });
}

/// The client calls again with its answers. The turn has begun, and does not begin again. If its
/// result is not kept any more, the answers count nevertheless.
void turn_calls::go_on(const call_ptr& by) {
  begin_task_later(by);
  const auto& kept = *by->kept();
  const auto* asked_then = object_in(kept, "asked");
  auto asked = asked_then != nullptr ? from_kept(*asked_then) : asked_consents{};
  if (auto result = text_in(kept, "result")) {
    let_go_if_cancelled(by, text_in(kept, "turn_id").value_or(""));
    return settle(by, *result, asked, by->arrived());
  }
  json::object turn{{"turn_id", text_in(kept, "turn_id").value_or("")}};
  perform_(
    by->who(), awaiting, turn, [self = shared_from_this(), by, asked, turn](const answer_text& x) {
      self->settle(by, x ? *x : to_text(json::value(turn)), asked, by->arrived());
    });
}

/// Passes the answers on as a turn of the person. The result of the tool says what came of them.
void turn_calls::settle(
  const call_ptr& by, const std::string& text, const asked_consents& asked, const answers& got) {
  auto outcomes = outcomes_of(asked, got);
  auto turn = consent_turn(asked, got, by->who().by.name);
  auto person =
    turn && !by->is_over() ? consents_.person_for(by->who(), asked.begin()->second) : std::nullopt;
  auto result = with_member(text, "consents", to_text(json::value(std::move(outcomes))));
  if (!person)
    return by->give_members(tool_result(result));
  perform_(
    *person, beginning, std::move(*turn), [by, result = std::move(result)](const answer_text& x) {
      auto told = x ? *x : to_text(json::value{{"error", describe(x.error())}});
      by->give_members(tool_result(with_member(result, "consent_turn", told)));
    });
}

} // namespace scratchpage::mcp
