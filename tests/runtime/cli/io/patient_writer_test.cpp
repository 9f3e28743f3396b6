#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <future>
#include <string>

#include <unistd.h>

#include "scratchpage/runtime/cli/io/pipe_io.hpp"

/// A writer to a pipe whose reader is slow.

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

struct with_pipe {
  std::array<int, 2> ends{-1, -1};
  std::promise<void> gone;

  with_pipe() {
    std::signal(SIGPIPE, SIG_IGN);
    BOOST_REQUIRE(::pipe(ends.data()) == 0);
  }

  ~with_pipe() {
    hang_up();
    ::close(ends[1]);
  }

  std::function<void()> on_gone() {
    return [this] { gone.set_value(); };
  }

  void hang_up() {
    if (ends[0] >= 0)
      ::close(std::exchange(ends[0], -1));
  }

  std::string read(size_t count) const {
    std::string result(count, '\0');
    for (size_t have = 0; have < count;) {
      auto more = ::read(ends[0], result.data() + have, count - have);
      BOOST_REQUIRE(more > 0);
      have += static_cast<size_t>(more);
    }
    return result;
  }

  static auto soon() { return std::chrono::steady_clock::now() + 10s; }
};

std::string long_text(char of) {
  return std::string(300'000, of); // several times the buffer of the pipe
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_patient_writer, with_pipe)

BOOST_AUTO_TEST_CASE(what_the_pipe_takes_is_there_at_once) {
  async_writer to{ends[1], on_gone()};
  to.write("a line\n");
  BOOST_TEST(to.flush(std::chrono::steady_clock::time_point{}));
  BOOST_TEST(read(7) == "a line\n");
}

BOOST_AUTO_TEST_CASE(nobody_waits_for_a_reader_and_all_arrives_in_its_order) {
  async_writer to{ends[1], on_gone()};
  to.write(long_text('a'));
  to.write("b");
  to.write(long_text('c'));
  BOOST_TEST(!to.flush(std::chrono::steady_clock::now()));
  BOOST_TEST((read(600'001) == long_text('a') + "b" + long_text('c')));
  BOOST_TEST(to.flush(soon()));
}

BOOST_AUTO_TEST_CASE(a_reader_that_goes_is_noticed_while_text_waits) {
  async_writer to{ends[1], on_gone()};
  to.write(long_text('a'));
  hang_up();
  BOOST_TEST((gone.get_future().wait_for(10s) == std::future_status::ready));
  BOOST_TEST(!to.flush(soon()));
  to.write("nobody reads it"); // the error is reported only once
}

BOOST_AUTO_TEST_CASE(a_reader_that_is_gone_is_noticed_at_once) {
  hang_up();
  async_writer to{ends[1], on_gone()};
  to.write("a line\n");
  BOOST_TEST((gone.get_future().wait_for(0s) == std::future_status::ready));
}

BOOST_AUTO_TEST_CASE(a_reader_who_lets_too_much_wait_counts_as_gone) {
  async_writer to{ends[1], on_gone(), 500'000};
  to.write(long_text('a'));
  to.write(long_text('b'));
  BOOST_TEST((gone.get_future().wait_for(0s) == std::future_status::ready));
  BOOST_TEST(!to.flush(soon()));
}

BOOST_AUTO_TEST_CASE(an_end_waits_for_nobody) {
  async_writer to{ends[1], on_gone()};
  to.write(long_text('a'));
  to.stop();
  BOOST_TEST(!to.flush(soon()));
  to.write("nobody reads it");
  BOOST_TEST((gone.get_future().wait_for(0s) == std::future_status::timeout));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
