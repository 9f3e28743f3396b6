#include <algorithm>
#include <tuple>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/page/page_access.hpp"
#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

caf::error scratch_page_state::hold(const hold_turn& request) {
  if (auto err = daemons_only(request.by, "hold turns"))
    return refuse("hold_turn", request.by, err);
  if (auto err = turns_.hold(request.by.turn_id, request.by.name))
    return refuse("hold_turn", request.by, err);
  trace_.write("hold_turn", request.by);
  if (const auto& sender = self_->current_sender()) {
    auto holder = caf::actor_cast<caf::actor>(sender);
    holders_[holder.address()].insert(request.by.name);
    watch_once(holder);
  }
  return {};
}

caf::error scratch_page_state::release(const release_turn& request) {
  auto err = daemons_only(request.by, "let go of turns");
  if (!err)
    err = turns_.release(request.by.turn_id, request.by.name);
  if (err)
    return refuse("release_turn", request.by, err);
  trace_.write("release_turn", request.by);
  answer_waiters();
  return {};
}

caf::result<void> scratch_page_state::wait(const await_quiet& request) {
  if (auto err = daemons_only(request.by, "wait for turns"))
    return refuse("await_quiet", request.by, err);
  if (request.by.turn_id.empty()) {
    trace_.write("await_quiet", request.by);
    auto promise = self_->make_response_promise<void>();
    waiting_for_page_.push_back(promise);
    answer_waiters();
    return promise;
  }
  auto token = ++last_token_;
  if (auto err = turns_.wait(request.by.turn_id, {request.by.name, request.stage, token}))
    return refuse("await_quiet", request.by, err);
  trace_.write("await_quiet", request.by, {{"stage", name_of(request.stage)}});
  caf::actor_addr asker;
  if (const auto& sender = self_->current_sender()) { // a promise takes it away
    auto who = caf::actor_cast<caf::actor>(sender);
    asker = who.address();
    watch_once(who);
  }
  auto promise = self_->make_response_promise<void>();
  waiting_.emplace(token, waiting{promise, asker});
  answer_waiters();
  return promise;
}

caf::result<turn_so_far> scratch_page_state::tell(const read_turn& request) {
  if (auto err = daemons_only(request.by, "read turns"))
    return refuse("read_turn", request.by, err);
  auto found = turns_.so_far(request.by.turn_id);
  if (!found)
    return refuse("read_turn", request.by, found.error());
  trace_.write(
    "read_turn", request.by, {{"own", found->own.size()}, {"others", found->others.size()}});
  return std::move(*found);
}

caf::result<observation_list> scratch_page_state::close(const close_turn& request) {
  if (auto err = daemons_only(request.by, "close turns"))
    return refuse("close_turn", request.by, err);
  if (!turns_.is_open(request.by.turn_id))
    return refuse("close_turn", request.by,
      fail(
        errc::not_found, "by.turn_id", "expected an open turn, got '" + request.by.turn_id + "'"));
  auto answer = self_->make_response_promise<observation_list>();
  // What storage refuses stays until the next turn's end.
  commit(plan_auto_archive(), request.by, "clear_resolved",
    [this, by = request.by, answer](
      const caf::error&) mutable { answer.deliver(finish_close(by)); });
  settle();
  return answer;
}

/// What is resolved leaves the page. What has a change on its way is left to the
/// next turn's end: nobody knows yet whether it will still be resolved.
scratch_page_state::changes scratch_page_state::plan_auto_archive() {
  changes todo;
  if (!setup_.limits.auto_archive_resolved)
    return todo;
  observation_filter resolved;
  resolved.status = {status::resolved};
  index_query wanted;
  wanted.filter = &resolved;
  wanted.limit = UINT32_MAX;
  wanted.now = now();
  for (auto number : index_.query(wanted).numbers)
    if (!busy_.contains(number))
      todo.push_back(archive_of(number));
  return todo;
}

observation_list scratch_page_state::finish_close(const caller& by) {
  auto closed = turns_.close(by.turn_id);
  for (const auto& waiter : closed.waiters)
    if (auto node = waiting_.extract(waiter.token); !node.empty())
      node.mapped().promise.deliver(fail(errc::deadline_exceeded, "turn_id", "the turn has ended"));
  json::object detail{{"observations", closed.observations.size()}};
  if (closed.left_out > 0)
    detail["left_out"] = closed.left_out;
  trace_.write("close_turn", by, std::move(detail));
  answer_waiters();
  return {std::move(closed.observations), closed.own_left_out};
}

uint64_t scratch_page_state::acknowledged() const {
  auto result = delivery_.acknowledged();
  if (auto oldest = candidates_.oldest(); oldest > 0 && cortex_)
    result = std::min(result, oldest - 1);
  return result;
}

void scratch_page_state::answer_waiters() {
  if (!waiting_.empty())
    answer_turns_waiters();
  if (!waiting_for_page_.empty() && is_quiet())
    for (auto& promise : std::exchange(waiting_for_page_, {}))
      promise.deliver();
}

void scratch_page_state::answer_turns_waiters() {
  for (auto ready = turns_.take_ready(acknowledged()); !ready.empty();
       ready = turns_.take_ready(acknowledged()))
    for (const auto& waiter : ready)
      if (auto node = waiting_.extract(waiter.token); !node.empty()) {
        auto& x = node.mapped();
        if (comes_with_hold(waiter.stage) && x.asker)
          holders_[x.asker].insert(waiter.holder);
        x.promise.deliver();
      }
}

/// The page as a whole: nothing is on its way, and nobody is still at work on
/// what it told them.
bool scratch_page_state::is_quiet() {
  auto due = index_.next_deadline();
  return not_visible_ == 0 && !sent_events_ && gathered_.events.empty() && batches_.empty()
         && delivery_.acknowledged() + 1 == log_.next() && (!cortex_ || candidates_.is_idle())
         && (!due || *due > now());
}

} // namespace scratchpage
