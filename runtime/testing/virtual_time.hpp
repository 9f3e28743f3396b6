#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/expected.hpp>
#include <caf/message.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/execution/virtual_time.hpp"

namespace scratchpage::testing {

namespace detail {

template <class Signature>
struct handler;

template <class Result, class Request>
struct handler<caf::result<Result>(Request)> {
  static std::type_identity<Result> answer(const Request&);
};

template <class Signatures>
struct handlers;

template <template <class...> class List, class... Signatures>
struct handlers<List<Signatures...>> : handler<Signatures>... {
  using handler<Signatures>::answer...;
};

/// The type with which `Handle` answers a `Request`.
template <class Handle, class Request>
using answer_t =
  typename decltype(handlers<typename Handle::signatures>::answer(std::declval<Request>()))::type;

} // namespace detail

/// An answer that may still be on its way.
template <class T>
struct pending_answer {
  std::optional<caf::expected<T>> value;

  bool arrived() const { return value.has_value(); }
};

/// Spawns an actor that sends a request and keeps the answer. Instantiated in virtual_time.cpp for
/// each type of answer in handles.hpp, since it is slow to compile.
template <class T>
struct asker {
  static caf::actor spawn(caf::actor_system& sys, const caf::actor& to, const caf::message& request,
    std::shared_ptr<pending_answer<T>> answer);
};

/// An actor system on virtual time, which begins at 2025-11-05T10:00:00Z. The actors run on the
/// calling thread, and only while it is in one of these functions. Actors that are spawned with
/// `make` or given to `own` end with this object, the last one first, so that their timers do not
/// keep the system alive. Objects that they use have to be in a base class before this one.
struct virtual_time {
  virtual_time();
  virtual_time(const virtual_time&) = delete;
  virtual_time& operator=(const virtual_time&) = delete;

  ~virtual_time();

  /// Lets the actors run until none is ready, without time passing.
  void settle() { driver.settle(); }

  /// Lets time pass, from deadline to deadline.
  void advance(timespan span) { driver.advance(span); }

  timestamp now() const { return driver.now(); }

  /// Spawns an actor from its state class and owns it.
  template <class State, class... Ts>
  typename State::handle make(Ts&&... xs) {
    return own(spawn<State>(sys, std::forward<Ts>(xs)...));
  }

  template <class Handle>
  Handle own(Handle handle) {
    owned.push_back(caf::actor_cast<caf::actor>(handle));
    return handle;
  }

  /// Sends a request. The answer arrives while the actors run and time passes.
  template <class Handle, class Request>
  auto start(const Handle& to, Request request) {
    using result = detail::answer_t<Handle, Request>;
    auto answer = std::make_shared<pending_answer<result>>();
    own(asker<result>::spawn(
      sys, caf::actor_cast<caf::actor>(to), caf::make_message(std::move(request)), answer));
    return answer;
  }

  /// Sends a request, settles, and gives the answer. If the answer needs time to pass, gives the
  /// error `deadline_exceeded`: use `start` and `advance` then.
  template <class Handle, class Request>
  auto ask(const Handle& to, Request request) {
    auto answer = start(to, std::move(request));
    settle();
    if (answer->arrived())
      return std::move(*answer->value);
    return std::decay_t<decltype(*answer->value)>{
      fail(errc::deadline_exceeded, "", "an answer without time passing")};
  }

  /// Sends without waiting for an answer, and settles.
  template <class Handle, class Message>
  void tell(const Handle& to, Message message) {
    anon_tell(to, std::move(message));
    settle();
  }

  caf::actor_system_config cfg;
  caf::actor_system sys;
  virtual_time_driver driver{sys};
  std::shared_ptr<const scratchpage::clock> clock = driver.clock();
  std::vector<caf::actor> owned;
};

} // namespace scratchpage::testing
