#pragma once

#include <utility>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/input_text.hpp"

namespace scratchpage::test {

/// The value of `x`; ends the test with its error if there is none.
template <class T>
T require_value(caf::expected<T> x) {
  if (!x)
    BOOST_FAIL(describe_input(x.error()));
  return std::move(*x);
}

} // namespace scratchpage::test
