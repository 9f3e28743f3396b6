#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <caf/result.hpp>

#include "scratchpage/messages/error.hpp"

namespace scratchpage::test {

inline caf::error unexpected() {
  return fail(errc::internal, "", "no such request in this test");
}

namespace detail {

/// The handler of a request that the test does not expect.
template <class Signature>
struct refusing;

template <class Answer, class Request>
struct refusing<caf::result<Answer>(Request)> {
  using request = Request;
  caf::result<Answer> operator()(const Request&) const { return unexpected(); }
};

template <class Signature, class First, class... Rest>
auto choose(const First& first, const Rest&... rest) {
  if constexpr (std::is_invocable_v<First, const typename refusing<Signature>::request&>)
    return first;
  else if constexpr (sizeof...(Rest) > 0)
    return choose<Signature>(rest...);
  else
    return refusing<Signature>{};
}

template <class Behavior, template <class...> class List, class... Signatures, class... Handlers>
Behavior complete(List<Signatures...>*, const Handlers&... handlers) {
  return {choose<Signatures>(handlers...)...};
}

} // namespace detail

/// The complete behaviour of a `Handle`, made of the handlers that a test needs, each
/// for one `const Request&`. All other requests are refused.
template <class Handle, class... Handlers>
typename Handle::behavior_type stub_behavior(const Handlers&... handlers) {
  typename Handle::signatures* all = nullptr;
  return detail::complete<typename Handle::behavior_type>(all, handlers...);
}

} // namespace scratchpage::test
