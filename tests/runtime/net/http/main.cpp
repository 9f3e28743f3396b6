#define BOOST_TEST_MODULE http
#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/fixed_seed.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
