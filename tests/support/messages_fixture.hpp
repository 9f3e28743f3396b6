#pragma once

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/type_ids.hpp"

/// Include it after BOOST_TEST_MODULE in every test program: errors and actors
/// need CAF's type table.

namespace scratchpage::test {

struct messages_fixture {
  messages_fixture() { init_messages(); }
};

BOOST_TEST_GLOBAL_FIXTURE(messages_fixture);

} // namespace scratchpage::test
