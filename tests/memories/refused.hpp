#pragma once

#include <caf/result.hpp>

#include "scratchpage/messages/error.hpp"

namespace scratchpage::test {

inline caf::error unexpected() {
  return fail(errc::internal, "", "no such request in this test");
}

/// A handler for what a test does not expect its stubs to be asked.
template <class Answer, class Request>
auto refused() {
  return [](const Request&) -> caf::result<Answer> { return unexpected(); };
}

} // namespace scratchpage::test
