#pragma once

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/type_ids.hpp"

/// Initialises CAF's type table, which errors and actors need. Include this header after
/// BOOST_TEST_MODULE in every test program.

namespace scratchpage::test {

struct messages_fixture {
  messages_fixture() { init_messages(); }
};

BOOST_TEST_GLOBAL_FIXTURE(messages_fixture);

} // namespace scratchpage::test
