#include <chrono>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/turns/outside_work.hpp"
#include "scratchpage/actors/turns/response_questions.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/actors/turns/turn_run.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

/// The part of a turn that writes down what an agent outside says and does in it.

namespace scratchpage {

namespace {

constexpr timespan longest_recovery = std::chrono::seconds{1};
constexpr timespan first_pause = std::chrono::milliseconds{1};
constexpr uint32_t max_waiting = 100; // questions of which those of the turn's user are told

/// Whether the question was asked in another turn of the input's thread, and not to another user.
bool waits_for(const observation& question, const observation& input) {
  return !is_in_one_turn(question, input) && !is_of_another(question, input)
         && text_member(question.context, "thread_id") == text_member(input.context, "thread_id");
}

} // namespace

/// A report whose answer is on its way.
struct turn_run::reporting {
  report_tool_call what;
  report_promise answer;
  reported_call told;
  caller tool;
  size_t noticed = 0; ///< observations of the tool that were handled
  timespan until{};   ///< steady time; when the answer no longer waits for a recovery
};

/// Puts the response on the page, and ends the hold as soon as it is there. A response that the
/// page refuses is traced, and the turn ends without it.
void turn_run::put_response(std::string response, caller who) {
  is_responding_ = true;
  who.turn_id = by_.turn_id;
  who.cause = by_.cause;
  who.outside = false; // TURNS adds it; nobody else may
  auto done = [me = shared_from_this()] {
    me->is_responding_ = false;
    if (std::exchange(me->is_held_, false))
      me->release();
  };
  ask(in_.self, in_.page, timeout(),
    add_observation{std::move(who), response_draft(std::move(response), *said_)})
    .then([done](const receipt&) { done(); },
      [me = shared_from_this(), done](const caf::error& err) {
        me->in_.trace.write_error("add_response", me->by_, err);
        done();
      });
}

void turn_run::report(report_tool_call what, report_promise answer) {
  if (is_let_go_ || !said_) {
    answer.deliver(fail(errc::conflict, "turn_id", "expected a turn that has not been ended"));
    return;
  }
  if (reported_.size() >= outside_work_limits::calls) {
    answer.deliver(fail(errc::overloaded, "turn_id",
      "expected at most " + std::to_string(outside_work_limits::calls) + " calls in a turn"));
    return;
  }
  for (auto number = reported_.size() + 1; what.call_id.empty(); ++number)
    if (auto id = "reported_" + std::to_string(number); !reported_.contains(id))
      what.call_id = std::move(id);
  if (!reported_.insert(what.call_id).second) {
    answer.deliver(fail(errc::conflict, "call_id",
      "expected a call that was not reported yet, got '" + what.call_id + "'"));
    return;
  }
  auto reporter = what.by.value_or(as_daemon("agent"));
  reporter.cause = in_.trace.write(
    "report_tool_call", by_, {{"call_id", what.call_id}, {"tool_id", what.tool_id}});
  auto x = std::make_shared<reporting>();
  x->tool = reported_tool(what, reporter);
  x->what = std::move(what);
  x->answer = std::move(answer);
  ask(in_.self, in_.page, timeout(), add_observation{x->tool, report_draft(x->what, *said_)})
    .then(
      [me = shared_from_this(), x](receipt& stored) {
        x->told.observation = std::move(stored.observation);
        x->told.warnings = std::move(stored.warnings);
        me->put_noticed(x);
      },
      [x](const caf::error& err) { x->answer.deliver(err); });
}

/// Adds what the tool noticed, one after the other. What is refused is told in a warning.
void turn_run::put_noticed(const std::shared_ptr<reporting>& x) {
  if (x->noticed == x->what.observations.size()) {
    x->until = in_.agent.clock->steady() + longest_recovery;
    return await_recovery(x, first_pause);
  }
  auto where = "observations[" + std::to_string(x->noticed) + "]";
  auto draft = from_json<observation_draft>(x->what.observations[x->noticed]);
  ++x->noticed;
  auto refused = [me = shared_from_this(), x, where](const caf::error& err) {
    x->told.warnings.push_back(where + ": " + describe(err));
    me->put_noticed(x);
  };
  if (!draft)
    return refused(draft.error());
  auto by = x->tool;
  by.role = role::tool; // the tool's own words
  by.outside = true;
  if (!draft->context.contains("thread_id") && !request_.thread_id.empty())
    draft->context["thread_id"] = request_.thread_id;
  ask(in_.self, in_.page, timeout(), add_observation{std::move(by), std::move(*draft)})
    .then([me = shared_from_this(), x](const receipt&) { me->put_noticed(x); }, refused);
}

/// Adds the questions of earlier turns that still wait for the user of this turn.
void turn_run::find_waiting() {
  query_observations open{.by = by_,
    .text = {},
    .filter = {},
    .limit = max_waiting,
    .cursor = {},
    .deadline = from_milliseconds(query_limits::deadline_ms)};
  open.filter.type = {"pending_confirmation"};
  open.filter.status = {status::active, status::pending_review};
  ask(in_.self, in_.page, timeout(), std::move(open))
    .then(
      [me = shared_from_this()](const query_result& found) {
        for (const auto& x : found.observations)
          if (me->said_ && waits_for(*x, *me->said_))
            me->result_.waiting.push_back(waiting_of(*x));
        me->record();
      },
      [me = shared_from_this()](const caf::error& err) {
        me->in_.trace.write_error("find_waiting", me->by_, err);
        me->record();
      });
}

/// Answers with the Error Handler's plan once the page has it. It looks at growing intervals, for a
/// second at most.
void turn_run::await_recovery(const std::shared_ptr<reporting>& x, timespan pause) {
  auto finish = [x] { x->answer.deliver(std::move(x->told)); };
  if (x->told.observation->type != "error_alert" || in_.agent.clock->steady() >= x->until)
    return finish();
  ask(in_.self, in_.page, timeout(), read_turn{by_})
    .then(
      [me = shared_from_this(), x, pause, finish](const turn_so_far& found) {
        for (const auto& one : found.own)
          if (is_handlers_plan(*one)
              && text_member(one->metadata, "error_alert_id")
                   == x->told.observation->observation_id) {
            x->told.recovery = one->metadata;
            return finish();
          }
        me->in_.self->run_delayed(pause, [me, x, pause] { me->await_recovery(x, 2 * pause); });
      },
      [finish](const caf::error&) { finish(); });
}

} // namespace scratchpage
