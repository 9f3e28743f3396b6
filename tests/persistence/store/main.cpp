#define BOOST_TEST_MODULE store
#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/messages_fixture.hpp"
