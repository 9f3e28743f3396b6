#include <array>

#include <boost/test/unit_test.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include "scratchpage/persistence/store/answer_watch.hpp"

namespace scratchpage::sql {

using namespace std::chrono_literals;

namespace {

/// Both ends of a connection.
struct connected {
  std::array<int, 2> ends{};

  connected() { BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0); }
  ~connected() {
    for (auto end : ends)
      ::close(end);
  }

  void say() { BOOST_REQUIRE(::write(ends[1], "x", 1) == 1); }

  /// Waits for a byte or the end of the connection. Returns the number of bytes: 1 or 0.
  ssize_t hear() {
    char byte = 0;
    return ::read(ends[0], &byte, 1);
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(an_answer_watch)

BOOST_AUTO_TEST_CASE(ends_a_call_that_gets_no_answer) {
  connected x;
  answer_watch watch{x.ends[0], 10ms};
  answer_watch::call call{watch};
  BOOST_TEST(x.hear() == 0);
}

BOOST_AUTO_TEST_CASE(leaves_a_call_that_gets_one) {
  connected x;
  answer_watch watch{x.ends[0], 1h};
  for (int i = 0; i < 100; ++i) {
    answer_watch::call call{watch};
    x.say();
    BOOST_TEST(x.hear() == 1);
  }
}

BOOST_AUTO_TEST_CASE(leaves_who_is_not_waiting) {
  connected x;
  answer_watch watch{x.ends[0], 1ms};
  {
    connected slow;
    answer_watch other{slow.ends[0], 50ms};
    answer_watch::call call{other};
    slow.hear();
  }
  x.say();
  BOOST_TEST(x.hear() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::sql
