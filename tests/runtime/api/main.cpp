#define BOOST_TEST_MODULE operations
#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/messages_fixture.hpp"
