#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

#include <caf/action.hpp>
#include <caf/actor.hpp>
#include <caf/actor_addr.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_clock.hpp>
#include <caf/actor_system.hpp>
#include <caf/config.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/message.hpp>
#include <caf/message_id.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#if CAF_MAJOR_VERSION >= 1
#include <caf/actor_from_state.hpp>
#include <caf/anon_mail.hpp>
#endif

#include "scratchpage/messages/time.hpp"

/// The differences between CAF 0.18 and 1.x that concern actors. Those of schedulers are in
/// runtime/execution/.

namespace scratchpage {

/// Spawns an actor from its state class: `S::handle` is its interface, its
/// constructor takes the actor's pointer first, `make_behavior()` its handlers.
template <class S, class... Ts>
typename S::handle spawn(caf::actor_system& sys, Ts&&... xs) {
#if CAF_MAJOR_VERSION >= 1
  return sys.spawn(caf::actor_from_state<S>, std::forward<Ts>(xs)...);
#else
  return sys.spawn<caf::stateful_actor<S, typename S::handle::impl>>(std::forward<Ts>(xs)...);
#endif
}

/// As `spawn`, on a thread of its own: for an actor that blocks.
template <class S, class... Ts>
typename S::handle spawn_detached(caf::actor_system& sys, Ts&&... xs) {
#if CAF_MAJOR_VERSION >= 1
  return sys.spawn<caf::detached>(caf::actor_from_state<S>, std::forward<Ts>(xs)...);
#else
  return sys.spawn<caf::stateful_actor<S, typename S::handle::impl>, caf::detached>(
    std::forward<Ts>(xs)...);
#endif
}

/// Sends `x` without waiting for an answer.
template <class Self, class Handle, class T>
void tell(Self* self, const Handle& to, T&& x) {
#if CAF_MAJOR_VERSION >= 1
  self->mail(std::forward<T>(x)).send(to);
#else
  self->send(to, std::forward<T>(x));
#endif
}

/// As `tell`, from nobody.
template <class Handle, class T>
void anon_tell(const Handle& to, T&& x) {
#if CAF_MAJOR_VERSION >= 1
  caf::anon_mail(std::forward<T>(x)).send(to);
#else
  caf::anon_send(to, std::forward<T>(x));
#endif
}

/// Asks and waits at most `timeout`; continue with `.then(on_value, on_error)`.
template <class Self, class Handle, class T>
auto ask(Self* self, const Handle& to, timespan timeout, T&& x) {
#if CAF_MAJOR_VERSION >= 1
  return self->mail(std::forward<T>(x)).request(to, timeout);
#else
  return self->request(to, timeout, std::forward<T>(x));
#endif
}

/// Puts a request into `to`'s mailbox whose answer goes to `from` under that number: for
/// a companion, which is no actor that could wait for it.
template <class Handle, class T>
void enqueue_request(const caf::actor& from, uint64_t number, const Handle& to, T&& x) {
  auto id = caf::make_message_id(number);
  auto sender = caf::actor_cast<caf::strong_actor_ptr>(from);
  auto receiver = caf::actor_cast<caf::strong_actor_ptr>(to);
#if CAF_MAJOR_VERSION >= 1
  auto element =
    caf::make_mailbox_element(std::move(sender), id, caf::make_message(std::forward<T>(x)));
#else
  auto element =
    caf::make_mailbox_element(std::move(sender), id, {}, caf::make_message(std::forward<T>(x)));
#endif
  receiver->get()->enqueue(std::move(element), nullptr);
}

/// Lets `to` answer the request at hand, as if it had been asked itself.
template <class T, class Self, class Handle, class Request>
caf::result<T> pass_on(Self* self, const Handle& to, Request&& x) {
#if CAF_MAJOR_VERSION >= 1
  return self->mail(std::forward<Request>(x)).delegate(to);
#else
  return self->delegate(to, std::forward<Request>(x));
#endif
}

/// Calls `on_down(caf::actor_addr)` when `who` ends. An actor hands the same
/// function to every call: 0.18 keeps only the last one.
template <class Self, class Handle, class F>
void watch(Self* self, const Handle& who, F on_down) {
#if CAF_MAJOR_VERSION >= 1
  self->monitor(who, [addr = who.address(), on_down](const caf::error&) { on_down(addr); });
#else
  self->set_down_handler([on_down](const caf::down_msg& down) { on_down(down.source); });
  self->monitor(who);
#endif
}

/// Runs `f` in the actor `self` after `delay`, unless nobody refers to the actor by then. An
/// ordinary timer holds a reference, so an actor that sets one again and again would never end.
template <class Self, class F>
void run_while_needed(Self* self, timespan delay, F f) {
#if CAF_MAJOR_VERSION >= 1
  self->run_delayed_weak(delay, std::move(f));
#else
  auto at =
    self->clock().now() + std::chrono::duration_cast<caf::actor_clock::duration_type>(delay);
  self->clock().schedule(at, caf::make_action(std::move(f), caf::action::state::waiting),
    caf::weak_actor_ptr{self->ctrl()});
#endif
}

} // namespace scratchpage
