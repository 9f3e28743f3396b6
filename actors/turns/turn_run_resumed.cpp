#include <string>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/turns/interruption.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/actors/turns/turn_run.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

/// The part of a turn that is about other processes: what is kept of it, and how it goes on in the
/// next process.

namespace scratchpage {

kept_turn turn_run::as_kept() const {
  return {.turn_id = id(),
    .thread_id = request_.thread_id,
    .user_id = request_.user_id,
    .mode = request_.mode,
    .hold = request_.hold,
    .started_at = result_.started_at,
    .until = in_.agent.clock->now() + time_left(),
    .traceparent = request_.traceparent,
    .by = request_.by};
}

void turn_run::resume(const kept_turn& x) {
  is_resumed_ = true;
  result_.turn_id = x.turn_id;
  result_.started_at = x.started_at;
  begun_ = in_.agent.clock->steady();
  deadline_ = begun_ + (x.until - in_.agent.clock->now());
  by_ = asker_of(request_, x.turn_id);
  by_.cause = in_.trace.write("resume_turn", by_, {{"thread_id", x.thread_id}, {"hold", x.hold}});
  in_.on_begun(*this);
  await_team();
}

/// Finds the input, which the process before may not have added.
void turn_run::find_input() {
  ask(in_.self, in_.page, timeout(), read_turn{by_})
    .then(
      [me = shared_from_this()](const turn_so_far& found) {
        auto turn = in_order(found);
        me->said_ = first_of(turn, "user_input");
        if (!me->said_)
          return me->end_without_input();
        me->request_.input = me->said_->content;
        if (me->time_left() <= timespan::zero()) {
          me->result_.status = turn_status::timed_out;
          return me->close();
        }
        me->tell_interruption(turn);
      },
      [me = shared_from_this()](const caf::error& err) { me->close_and_give_up(err); });
}

void turn_run::end_without_input() {
  drop();
  close_and_give_up(fail(errc::not_found, "turn_id",
    "expected the input of " + id() + ", but it did not come onto the page"));
}

/// Puts on the page that the turn was interrupted, and goes on: a held turn is held again, any
/// other ends when the ensemble has judged it.
void turn_run::tell_interruption(const std::vector<observation_ptr>& turn) {
  auto by = as_daemon("turns", id(), by_.cause);
  ask(in_.self, in_.page, timeout(), add_observation{by, interruption_draft(turn, *said_)})
    .then([me = shared_from_this()](const receipt&) { me->watch_over(); },
      [me = shared_from_this()](const caf::error& err) {
        me->in_.trace.write_error("add_interruption", me->by_, err);
        me->watch_over();
      });
}

/// The turn is not kept any longer, although it has no episode.
void turn_run::drop() {
  if (!in_.keeps_turns || id().empty())
    return;
  ask(in_.self, in_.episodes, timeout(), drop_turn{by_})
    .then(
      [] {}, [me = shared_from_this()](
               const caf::error& err) { me->in_.trace.write_error("drop_turn", me->by_, err); });
}

} // namespace scratchpage
