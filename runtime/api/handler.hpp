#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include <caf/expected.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/argument_help.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/operation_schemas.hpp"
#include "scratchpage/runtime/api/operations.hpp"

/// A handler performs an operation. It gets the call, the actor that it asks, and the arguments,
/// and answers at once or later. The arguments and the answer of the operation follow from its
/// type:
///
///     answer_of<receipt> add(operation_run& run, const scratch_page_actor& page,
///       draft_arguments given);

namespace scratchpage {

/// The result of a handler: an error at once, or a `T` as JSON later.
template <class T>
struct answer_of {
  caf::result<operation_answer> value;

  answer_of(caf::error why) // NOLINT: handlers return it
    : value{std::move(why)} {}
  answer_of(open_answers::promise later) // NOLINT: as above
    : value{std::move(later)} {}
};

/// Arguments that the handler, or the actor that it asks, reads itself.
template <class T>
struct unread {};

/// How long an answer may take (`operations_config`).
enum class answer_time : uint8_t { usual, of_turn };

/// One call of an operation, as its handler sees it.
class operation_run {
public:
  operation_run(operations_state& in, call_operation& what)
    : in_{in},
      what_{what} {}

  const caller& by() const { return what_.by; }
  const std::string& thread_id() const { return what_.thread_id; }
  call_operation& call() { return what_; }
  operations_state& in() { return in_; }

  /// Reads the arguments; unknown members are errors.
  template <class T>
  caf::expected<T> read() {
    return read_arguments<T>(what_.operation, json::value(std::move(what_.arguments)));
  }

  /// Sends a request, whose answer becomes the operation's answer. A request without an answer
  /// gives `null`.
  template <class T, class Handle, class Request>
  answer_of<T> ask(const Handle& to, Request request, answer_time how_long = answer_time::usual) {
    if constexpr (std::is_void_v<T>)
      return ask_and_tell<T, T>(
        to, std::move(request), [] { return std::string{"null"}; }, how_long);
    else
      return ask_and_tell<T, T>(
        to, std::move(request), [](const T& x) { return to_result(x); }, how_long);
  }

  /// As above; `tell` makes the text of the answer from the `Reply`.
  template <class T, class Reply, class Handle, class Request, class Tell>
  answer_of<T> ask_and_tell(
    const Handle& to, Request request, Tell tell, answer_time how_long = answer_time::usual) {
    auto [promise, number] = in_.owe_answer(how_long == answer_time::of_turn);
    auto& open = in_.open();
    auto failed = [&open, n = number](const caf::error& err) { open.refuse(n, err); };
    auto answer = [&open, n = number, tell = std::move(tell)](const auto&... x) {
      if (open.is_open(n)) // the text of a turn takes long to make
        open.deliver(n, {tell(x...)});
    };
    auto asked = scratchpage::ask(in_.self(), to, caf::infinite, std::move(request));
    if constexpr (std::is_void_v<Reply>)
      std::move(asked).then([answer] { answer(); }, failed);
    else
      std::move(asked).then([answer](const Reply& x) { answer(x); }, failed);
    return std::move(promise);
  }

private:
  operations_state& in_;
  call_operation& what_;
};

namespace detail {

template <class T>
struct arguments_in_call {
  static argument_type type() { return argument_type_of<T>(); }
  static caf::expected<T> read(operation_run& run) { return run.read<T>(); }
};

template <class T>
struct arguments_in_call<unread<T>> {
  static argument_type type() { return argument_type_of<T>(); }
  static caf::expected<unread<T>> read(operation_run&) { return unread<T>{}; }
};

} // namespace detail

/// The operation that a handler performs with the actor in a member of `operations_parts`. Without
/// that actor there is no such operation.
template <auto Part, auto Handler>
class performed_by_handler {
public:
  template <class T, class Handle, class Arguments>
  static performance make(answer_of<T> (*)(operation_run&, const Handle&, Arguments)) {
    return {detail::arguments_in_call<Arguments>::type(), answer_type_of<T>(), is_offered,
      perform<Arguments>};
  }

private:
  static bool is_offered(const operations_parts& x) { return static_cast<bool>(x.*Part); }

  template <class Arguments>
  static caf::result<operation_answer> perform(operation_run& run) {
    auto given = detail::arguments_in_call<Arguments>::read(run);
    if (!given)
      return given.error();
    return Handler(run, run.in().parts().*Part, std::move(*given)).value;
  }
};

template <auto Part, auto Handler>
performance performed_by() {
  return performed_by_handler<Part, Handler>::make(Handler);
}

/// A handler that sends its arguments as a request of the caller.
template <class Request, class T, class Handle, answer_time HowLong>
answer_of<T> pass_on(operation_run& run, const Handle& to, arguments_of<Request> given) {
  Request request = std::move(static_cast<Request&>(given));
  request.by = run.by();
  return run.ask<T>(to, std::move(request), HowLong);
}

/// The operation whose arguments are the members of a request without `by`, and whose answer is the
/// actor's.
template <auto Part, class Request, class T, answer_time HowLong = answer_time::usual>
performance passed_on() {
  using handle = std::remove_cvref_t<decltype(std::declval<operations_parts>().*Part)>;
  return performed_by<Part, &pass_on<Request, T, handle, HowLong>>();
}

} // namespace scratchpage
