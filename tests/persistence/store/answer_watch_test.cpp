#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <vector>

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

BOOST_AUTO_TEST_CASE(shares_its_thread_with_all_others) {
  std::vector<std::unique_ptr<connected>> connections;
  std::vector<std::unique_ptr<answer_watch>> watches;
  auto threads = [] {
    return std::distance(std::filesystem::directory_iterator{"/proc/self/task"}, {});
  };
  auto before = threads();
  for (int i = 0; i < 20; ++i) {
    connections.push_back(std::make_unique<connected>());
    watches.push_back(
      std::make_unique<answer_watch>(connections.back()->ends[0], i == 7 ? 10ms : 1h));
  }
  BOOST_TEST(threads() <= before + 1);
  {
    answer_watch::call patient{*watches[3]};
    answer_watch::call call{*watches[7]};
    BOOST_TEST(connections[7]->hear() == 0);
    connections[3]->say();
    BOOST_TEST(connections[3]->hear() == 1);
  }
  watches.clear(); // the thread ends, and begins again with the next one
  answer_watch again{connections[0]->ends[0], 10ms};
  answer_watch::call last{again};
  BOOST_TEST(connections[0]->hear() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::sql
