#define BOOST_TEST_MODULE commands
#include "scratchpage/tests/support/messages_fixture.hpp"
