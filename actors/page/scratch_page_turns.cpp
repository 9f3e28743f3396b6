#include <algorithm>
#include <tuple>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/actors/page/write_rules.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

caf::error scratch_page_state::open(const open_turn& request) {
  auto err = daemons_only(request.by, "open turns");
  if (!err)
    err = turns_.open(
      request.by.turn_id, protection_.payer_of(request), {request.begun_by, request.by.name});
  if (!err && request.again)
    gather_turn(request.by.turn_id);
  trace_.write("open_turn", request.by, {}, err ? name_of(code_of(err)) : "success");
  return err;
}

/// Gives an open turn what is on the page of it, from a process before. Which observations came
/// from outside is known only by their sources.
void scratch_page_state::gather_turn(const std::string& turn_id) {
  observation_filter any;
  any.status = {status::active, status::pending_review, status::resolved};
  index_query wanted;
  wanted.filter = &any;
  wanted.limit = UINT32_MAX;
  wanted.now = now();
  auto numbers = index_.query(wanted).numbers;
  std::sort(numbers.begin(), numbers.end());
  for (auto number : numbers) {
    auto x = index_.find(number);
    if (x->source.turn_id != turn_id)
      continue;
    auto is_own = is_of_ensemble(x->source) || x->source.kind == source_kind::tool
                  || x->type == "user_input" || x->type == "agent_response";
    turns_.note("", 0, number, x,
      is_own ? turn_ledger::addition::of_ensemble : turn_ledger::addition::of_others);
  }
}

caf::error scratch_page_state::hold(const hold_turn& request) {
  if (auto err = daemons_only(request.by, "hold turns"))
    return refuse("hold_turn", request.by, err);
  if (auto err = turns_.hold(request.by.turn_id, request.by.name))
    return refuse("hold_turn", request.by, err);
  trace_.write("hold_turn", request.by);
  if (const auto& sender = self_->current_sender()) {
    auto holder = caf::actor_cast<caf::actor>(sender);
    waiters_.note_hold(holder.address(), request.by.name);
    watch_once(holder);
  }
  return {};
}

caf::error scratch_page_state::release(const release_turn& request) {
  auto err = daemons_only(request.by, "release turns");
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
    if (!std::exchange(returning_.is_wait_for_quiet, false))
      trace_.write("await_quiet", request.by);
    auto promise = self_->make_response_promise<void>();
    waiters_.add_for_page(promise);
    answer_waiters();
    return promise;
  }
  auto token = waiters_.next_token();
  if (auto err = turns_.wait(request.by.turn_id, {request.by.name, request.stage, token}))
    return refuse("await_quiet", request.by, err);
  trace_.write("await_quiet", request.by, {{"stage", name_of(request.stage)}});
  caf::actor_addr asker;
  if (const auto& sender = self_->current_sender()) { // before a promise takes it over
    auto who = caf::actor_cast<caf::actor>(sender);
    asker = who.address();
    watch_once(who);
  }
  auto promise = self_->make_response_promise<void>();
  waiters_.add(token, promise, std::move(asker));
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
  // Observations whose archiving storage refuses stay until the end of the next turn.
  commit(plan_auto_archive(), request.by, "clear_resolved",
    [this, by = request.by, answer](
      const caf::error&) mutable { answer.deliver(finish_close(by)); });
  settle();
  return answer;
}

/// Archives the resolved observations. An observation with a change on its way stays until the end
/// of the next turn, because the outcome of that change is not known yet.
page_changes scratch_page_state::plan_auto_archive() {
  page_changes todo;
  if (!setup_.limits.auto_archive_resolved)
    return todo;
  observation_filter resolved;
  resolved.status = {status::resolved};
  index_query wanted;
  wanted.filter = &resolved;
  wanted.limit = UINT32_MAX;
  wanted.now = now();
  for (auto number : index_.query(wanted).numbers)
    if (!commits_.is_busy(number))
      todo.push_back(archive_of(number, wanted.now));
  return todo;
}

observation_list scratch_page_state::finish_close(const caller& by) {
  auto closed = turns_.close(by.turn_id);
  for (const auto& waiter : closed.waiters)
    if (auto answer = waiters_.take(waiter.token))
      answer->deliver(fail(errc::deadline_exceeded, "turn_id", "the turn has ended"));
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
  if (waiters_.is_anybody_waiting_for_turn())
    answer_waiters_for_turns();
  if (waiters_.is_anybody_waiting_for_page() && is_quiet())
    for (auto& answer : waiters_.take_for_page())
      answer.deliver();
}

void scratch_page_state::answer_waiters_for_turns() {
  for (auto ready = turns_.take_ready(acknowledged()); !ready.empty();
       ready = turns_.take_ready(acknowledged()))
    for (const auto& waiter : ready)
      if (auto answer = waiters_.admit(waiter))
        answer->deliver();
}

/// Whether the page as a whole is quiet: no change is on its way, all events are acknowledged, no
/// candidate is being handled, and nothing has expired.
bool scratch_page_state::is_quiet() {
  auto due = index_.next_deadline();
  return commits_.is_idle() && batches_.empty() && delivery_.acknowledged() + 1 == log_.next()
         && (!cortex_ || candidates_.is_idle()) && (!due || *due > now());
}

} // namespace scratchpage
