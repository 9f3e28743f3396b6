#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/expected.hpp>
#include <caf/message.hpp>
#include <caf/unit.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/handles.hpp"
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

/// Spawns an actor that sends a request and keeps the answer.
template <class T>
struct asker {
  static caf::actor spawn(caf::actor_system& sys, const caf::actor& to, const caf::message& request,
    std::shared_ptr<pending_answer<T>> answer) {
    return sys.spawn([answer, to, request](caf::event_based_actor* self) {
      auto failed = [answer](const caf::error& err) { answer->value.emplace(err); };
      auto asked = scratchpage::ask(self, to, caf::infinite, request);
      if constexpr (std::is_void_v<T>)
        std::move(asked).then([answer] { answer->value.emplace(caf::expected<void>{}); }, failed);
      else
        std::move(asked).then([answer](T& x) { answer->value.emplace(std::move(x)); }, failed);
    });
  }
};

// The types of answers in handles.hpp are compiled once, in virtual_time.cpp, since that is slow.
extern template struct asker<void>;
extern template struct asker<uint64_t>;
extern template struct asker<add_outcomes>;
extern template struct asker<assembled_context>;
extern template struct asker<compaction_plan>;
extern template struct asker<conversation_stats>;
extern template struct asker<episode_list>;
extern template struct asker<fact>;
extern template struct asker<fact_list>;
extern template struct asker<forgotten>;
extern template struct asker<goal>;
extern template struct asker<goal_list>;
extern template struct asker<linked_observations>;
extern template struct asker<file_part>;
extern template struct asker<memory_hits>;
extern template struct asker<model_prompt>;
extern template struct asker<observation_list>;
extern template struct asker<observation_ptr>;
extern template struct asker<operation_answer>;
extern template struct asker<page_stats>;
extern template struct asker<journal_stats>;
extern template struct asker<promotion_report>;
extern template struct asker<query_result>;
extern template struct asker<receipt>;
extern template struct asker<rest_verdict>;
extern template struct asker<scratch_view>;
extern template struct asker<scratchbook>;
extern template struct asker<scratchbook_item>;
extern template struct asker<subscriber_list>;
extern template struct asker<tool_list>;
extern template struct asker<tool_response>;
extern template struct asker<turn_list>;
extern template struct asker<turn_result>;
extern template struct asker<turn_so_far>;
extern template struct asker<verdict>;

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

  /// Sends a request, and does not wait. The answer arrives while the actors run and time passes:
  /// `settle` and `advance` let them.
  template <class Handle, class Request>
  auto send(const Handle& to, Request request) {
    using result = detail::answer_t<Handle, Request>;
    auto answer = std::make_shared<pending_answer<result>>();
    own(asker<result>::spawn(
      sys, caf::actor_cast<caf::actor>(to), caf::make_message(std::move(request)), answer));
    return answer;
  }

  /// Sends a request, settles, and gives the answer. If the answer needs time to pass, gives the
  /// error `deadline_exceeded`: use `send` and `advance` then.
  template <class Handle, class Request>
  auto ask(const Handle& to, Request request) {
    auto answer = send(to, std::move(request));
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
