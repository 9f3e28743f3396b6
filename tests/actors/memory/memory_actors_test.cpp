#define BOOST_TEST_MODULE memory_actors
#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/messages_fixture.hpp"
