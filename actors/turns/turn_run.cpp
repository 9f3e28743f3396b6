#include "scratchpage/actors/turns/turn_run.hpp"

#include <chrono>
#include <set>
#include <string_view>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/actors/turns/turn_warnings.hpp"
#include "scratchpage/actors/turns/turns.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

timespan turn_context::timeout() const {
  return from_milliseconds(config->request_ms);
}

turn_run::turn_run(
  turn_context& in, begin_turn request, std::optional<turn_askers::promise> beginner)
  : in_{in},
    request_{std::move(request)},
    askers_{std::move(beginner)},
    works_{in.agent.begin_work()} {}

turn_summary turn_run::summary() const {
  turn_summary result;
  result.turn_id = id();
  result.thread_id = request_.thread_id;
  result.user_id = request_.user_id;
  result.input = utf8::prefix(request_.input, turn_summary::input_bytes);
  result.status = is_held_ ? turn_status::held : turn_status::running;
  result.started_at = result_.started_at;
  return result;
}

caf::error turn_run::join(turn_askers::promise to, const std::optional<caller>& who) {
  return askers_.join(std::move(to), who, in_.agent.clock->steady());
}

// -- the beginning ------------------------------------------------------------------------

void turn_run::start() {
  auto id = make_id();
  if (!id) {
    by_ = asker_of(request_);
    give_up(fail(errc::storage_unavailable, "", describe(id.error())));
    return;
  }
  result_.turn_id = std::move(*id);
  result_.started_at = in_.agent.clock->now();
  auto usual = request_.hold ? in_.config->held_deadline_ms : in_.config->deadline_ms;
  begun_ = in_.agent.clock->steady();
  deadline_ = begun_ + from_milliseconds(request_.deadline_ms > 0 ? request_.deadline_ms : usual);
  by_ = asker_of(request_, result_.turn_id);
  json::object detail{{"thread_id", request_.thread_id}, {"mode", name_of(request_.mode)},
    {"calls", request_.plan.size()}};
  if (!request_.traceparent.empty())
    detail["traceparent"] = request_.traceparent;
  by_.cause = in_.trace.write("begin_turn", by_, std::move(detail));
  in_.on_begun(*this);
  await_team();
}

caf::expected<std::string> turn_run::make_id() {
  auto number = in_.numbers->next();
  if (!number)
    return number.error();
  auto id = "turn_" + to_yyyymmdd(in_.agent.clock->now()) + "_";
  append_number(id, *number);
  return id;
}

/// Waits until all daemons have subscribed: one that has not would miss the input.
void turn_run::await_team() {
  if (in_.is_team_there)
    return keep();
  if (in_.agent.clock->steady() > begun_ + timeout()) {
    give_up(fail(errc::deadline_exceeded, "team",
      "expected " + std::to_string(in_.team)
        + " daemons of the ensemble as subscribers that take part in turns"));
    return;
  }
  ask(in_.self, in_.page, timeout(), list_subscribers{by_})
    .then([me = shared_from_this()](const subscriber_list& there) { me->count_team(there); },
      [me = shared_from_this()](const caf::error& err) { me->give_up(err); });
}

/// Subscribers with other names are daemons of the embedding program. They do not count, because
/// they do not do the work of a daemon that is missing.
void turn_run::count_team(const subscriber_list& there) {
  std::set<std::string_view> names;
  for (const auto& x : there.subscribers)
    if (x.in_turns && is_component(x.name))
      names.insert(x.name);
  in_.is_team_there = names.size() >= in_.team;
  if (in_.is_team_there)
    await_team();
  else
    in_.self->run_delayed(
      std::chrono::milliseconds{1}, [me = shared_from_this()] { me->await_team(); });
}

/// Keeps the turn before its input is on the page, so that no process finds an input without it.
void turn_run::keep() {
  if (!in_.keeps_turns || is_resumed_)
    return open();
  ask(in_.self, in_.episodes, timeout(), keep_turn{by_, as_kept()})
    .then([me = shared_from_this()] { me->open(); },
      [me = shared_from_this()](const caf::error& err) { me->give_up(err); });
}

/// Opens the turn on the page. A turn that is to be held is held from the start, so that it is not
/// quiet before TURNS waits for that.
void turn_run::open() {
  auto failed = [me = shared_from_this()](const caf::error& err) { me->give_up(err); };
  auto go_on = [me = shared_from_this()] {
    if (me->is_resumed_)
      me->find_input();
    else
      me->put_input();
  };
  ask(in_.self, in_.page, timeout(), open_turn{by_, request_.by, is_resumed_})
    .then(
      [me = shared_from_this(), go_on, failed] {
        if (!me->request_.hold)
          return go_on();
        ask(me->in_.self, me->in_.page, me->timeout(), hold_turn{me->by_}).then(go_on, failed);
      },
      failed);
}

void turn_run::put_input() {
  ask(in_.self, in_.page, timeout(), add_observation{by_, input()})
    .then(
      [me = shared_from_this()](const receipt& stored) {
        me->said_ = stored.observation;
        me->watch_over();
      },
      [me = shared_from_this()](const caf::error& err) { me->close_and_give_up(err); });
}

void turn_run::close_and_give_up(const caf::error& why) {
  ask(in_.self, in_.page, timeout(), close_turn{by_})
    .then([me = shared_from_this(), why](const observation_list&) { me->give_up(why); },
      [me = shared_from_this(), why](const caf::error& as_well) {
        me->in_.trace.write_error("close_turn", me->by_, as_well);
        me->give_up(why);
      });
}

observation_draft turn_run::input() const {
  observation_draft draft;
  draft.type = "user_input";
  draft.content = request_.input;
  draft.confidence = 1.0;
  draft.owner = "user";
  draft.context = request_.context;
  if (!request_.thread_id.empty())
    draft.context["thread_id"] = request_.thread_id;
  if (!request_.user_id.empty() || (request_.by && is_person(*request_.by)))
    draft.context["user_id"] = by_.name;
  write_plan(draft, request_.plan);
  if (request_.by && is_owner(*request_.by))
    write_owner(draft);
  return draft;
}

// -- while others work --------------------------------------------------------------------

void turn_run::watch_over() {
  if (request_.mode == turn_mode::background)
    ask(in_.self, in_.page, time_left(), await_quiet{by_, quiet_stage::started})
      .then([me = shared_from_this()] { me->answer_in_background(); }, [](const caf::error&) {});
  if (request_.hold) {
    ask(in_.self, in_.page, time_left(), await_quiet{by_, quiet_stage::worked})
      .then([me = shared_from_this()] { me->keep_open(); }, [](const caf::error&) {});
    release();
  }
  ask(in_.self, in_.page, time_left(), await_quiet{by_, quiet_stage::ended})
    .then([me = shared_from_this()] { me->close(); },
      [me = shared_from_this()](const caf::error& err) {
        me->in_.trace.write_error("await_quiet", me->by_, err);
        me->result_.status = turn_status::timed_out;
        me->close();
      });
}

/// Answers a background turn once all subscribers have read the input.
void turn_run::answer_in_background() {
  auto early = result_;
  early.status = turn_status::background;
  early.response = "Working on it.";
  answer_early(std::move(early));
}

/// Keeps the turn open after the ensemble has done its part: from here on, TURNS holds it for
/// somebody outside.
void turn_run::keep_open() {
  if (is_let_go_ && !is_responding_)
    return release();
  is_held_ = true;
  if (is_let_go_)
    return; // the hold ends when the response is on the page
  in_.on_held(*this);
  ask(in_.self, in_.page, timeout(), read_turn{by_})
    .then(
      [me = shared_from_this()](const turn_so_far& found) {
        auto so_far = me->result_;
        so_far.observations = in_order(found);
        auto ids = alerts_of(so_far.observations);
        me->read_alerts(std::move(ids), {},
          [me, so_far = std::move(so_far)](const std::vector<observation_ptr>& alerts) mutable {
            take_warnings(so_far, alerts);
            me->find_goals_so_far(std::move(so_far));
          });
      },
      [me = shared_from_this()](const caf::error& err) {
        me->in_.trace.write_error("read_turn", me->by_, err);
        me->find_goals_so_far(me->result_);
      });
}

/// Reads the alerts with these ids, one after the other. One that has left the page is left out.
void turn_run::read_alerts(
  std::vector<std::string> ids, std::vector<observation_ptr> found, on_alerts then) {
  if (ids.empty())
    return then(std::move(found));
  auto id = std::move(ids.front());
  ids.erase(ids.begin());
  ask(in_.self, in_.page, timeout(), get_observation{by_, std::move(id)})
    .then(
      [me = shared_from_this(), ids, found, then](const observation_ptr& alert) {
        auto all = found;
        all.push_back(alert);
        me->read_alerts(ids, std::move(all), then);
      },
      [me = shared_from_this(), ids, found, then](const caf::error& err) {
        me->in_.trace.write_error("read_alert", me->by_, err);
        me->read_alerts(ids, found, then);
      });
}

void turn_run::find_goals_so_far(turn_result so_far) {
  read_outcome(so_far);
  so_far.status = turn_status::held;
  auto early = std::make_shared<turn_result>(std::move(so_far));
  ask(in_.self, in_.cortex, timeout(), list_goals{by_})
    .then(
      [me = shared_from_this(), early](goal_list& all) {
        take_goals(*early, those_about(early->observations, std::move(all.goals)));
        me->tell_held(std::move(*early));
      },
      [me = shared_from_this(), early](const caf::error& err) {
        me->in_.trace.write_error("list_goals", me->by_, err);
        me->tell_held(std::move(*early));
      });
}

/// Answers that the turn is held, unless it was ended meanwhile; then the result is the answer.
void turn_run::tell_held(turn_result so_far) {
  if (!is_let_go_)
    answer_early(std::move(so_far));
}

/// Answers the caller that has begun the turn before the turn ends.
void turn_run::answer_early(turn_result early) {
  if (askers_.answer_beginner(std::move(early)))
    in_.trace.write("answer_early", by_);
}

void turn_run::let_go(std::string response, std::optional<caller> who) {
  if (std::exchange(is_let_go_, true))
    return; // it ends already
  if (!utf8::is_blank(response) && said_)
    return put_response(std::move(response), who.value_or(as_daemon("agent")));
  if (std::exchange(is_held_, false))
    release();
}

void turn_run::release() {
  ask(in_.self, in_.page, timeout(), release_turn{by_})
    .then(
      [] {}, [me = shared_from_this()](
               const caf::error& err) { me->in_.trace.write_error("release_turn", me->by_, err); });
}

// -- the end ------------------------------------------------------------------------------

void turn_run::close() {
  ask(in_.self, in_.page, timeout(), close_turn{by_})
    .then(
      [me = shared_from_this()](observation_list& turn) {
        me->result_.observations = std::move(turn.observations);
        auto is_whole = turn.left_out == 0;
        me->read_alerts(alerts_of(me->result_.observations), {},
          [me, is_whole](std::vector<observation_ptr> alerts) {
            me->alerts_ = std::move(alerts);
            take_warnings(me->result_, me->alerts_);
            read_outcome(me->result_, is_whole);
            me->settle();
          });
      },
      [me = shared_from_this()](const caf::error& err) {
        me->in_.trace.write_error("close_turn", me->by_, err);
        me->settle();
      });
}

void turn_run::settle() {
  ask(in_.self, in_.cortex, timeout(), settle_goals{by_, result_.observations, alerts_})
    .then(
      [me = shared_from_this()](goal_list& moved) {
        take_goals(me->result_, std::move(moved.goals));
        me->find_waiting();
      },
      [me = shared_from_this()](const caf::error& err) {
        me->in_.trace.write_error("settle_goals", me->by_, err);
        me->find_waiting();
      });
}

void turn_run::record() {
  result_.ended_at = in_.agent.clock->now();
  episode story{result_.turn_id, request_.thread_id, result_.started_at, result_.ended_at,
    result_.observations, result_.status};
  ask(in_.self, in_.episodes, timeout(), record_episode{by_, std::move(story)})
    .then([me = shared_from_this()] { me->finish(); },
      [me = shared_from_this()](const caf::error& err) {
        me->in_.trace.write_error("record_episode", me->by_, err);
        me->drop(); // it has ended all the same
        me->finish();
      });
}

void turn_run::finish() {
  in_.trace.write("end_turn", by_,
    {{"status", name_of(result_.status)}, {"observations", result_.observations.size()},
      {"goals", result_.goals.size()}},
    "success", begun_);
  askers_.deliver(result_);
  in_.on_ended(*this, &result_);
  works_.reset();
}

/// Ends a turn that could not begin, and tells its callers why.
void turn_run::give_up(const caf::error& err) {
  in_.trace.write_error("begin_turn", by_, err);
  if (!is_resumed_) // another process may be luckier
    drop();
  askers_.deliver(err);
  in_.on_ended(*this, nullptr);
  works_.reset();
}

} // namespace scratchpage
