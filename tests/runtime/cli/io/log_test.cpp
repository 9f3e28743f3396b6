#include <array>
#include <chrono>
#include <csignal>
#include <future>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "scratchpage/runtime/cli/io/log.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

/// Logs whose reader is slow or has ended.

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

constexpr timespan ample = 60s;

/// A reader of the log that reads only when told to.
struct slow_reader {
  std::promise<void> may_read;
  std::vector<std::string> read; ///< lines that were read until `flush`

  log_queue::writing writing() {
    return [this, begun = may_read.get_future().share()](std::string_view line) {
      begun.wait();
      read.emplace_back(line);
      return true;
    };
  }
};

std::string told(uint64_t dropped) {
  return std::to_string(dropped) + " dropped";
}

/// A pipe for a log, in a process that ignores SIGPIPE.
struct log_to_pipe {
  std::array<int, 2> ends{-1, -1};
  std::ostringstream stream;
  wall_clock clock;

  log_to_pipe() {
    std::signal(SIGPIPE, SIG_IGN);
    BOOST_REQUIRE(::pipe(ends.data()) == 0);
  }

  ~log_to_pipe() {
    hang_up();
    ::close(ends[1]);
  }

  void hang_up() {
    if (ends[0] >= 0)
      ::close(std::exchange(ends[0], -1));
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(logs)

BOOST_AUTO_TEST_CASE(nobody_who_adds_a_line_waits_for_the_reader_and_what_was_dropped_is_told) {
  slow_reader reader;
  log_queue lines{reader.writing(), told, 100};
  for (auto i = 0; i < 1'000; ++i)
    lines.add("0123456789");
  reader.may_read.set_value();
  BOOST_TEST(lines.flush(ample));
  BOOST_REQUIRE(reader.read.size() == 11u);
  BOOST_TEST(reader.read.front() == "0123456789");
  BOOST_TEST(reader.read.back() == "990 dropped");
  lines.add("later");
  BOOST_TEST(lines.flush(ample));
  BOOST_TEST(reader.read.size() == 12u);
  BOOST_TEST(reader.read.back() == "later");
}

BOOST_AUTO_TEST_CASE(a_log_that_has_ended_takes_no_more_lines) {
  slow_reader reader;
  log_queue lines{reader.writing(), told, 100};
  lines.add("first");
  BOOST_TEST(!lines.flush(timespan{1}));
  reader.may_read.set_value();
  BOOST_TEST(lines.flush(ample));
  lines.end();
  lines.add("too late");
  BOOST_TEST(reader.read == std::vector<std::string>{"first"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_log_whose_reader_has_gone_ends_nothing, log_to_pipe) {
  log to{stream, log_format::text, log_level::info, clock, ends[1]};
  hang_up();
  to.write(log_level::info, "lost");
  BOOST_TEST(!to.flush(ample));
  for (auto i = 0; i < 100'000; ++i)
    to.write(log_level::info, "lost");
}

BOOST_FIXTURE_TEST_CASE(a_log_in_a_pipe_that_nobody_reads_ends, log_to_pipe) {
  log to{stream, log_format::text, log_level::info, clock, ends[1]};
  for (auto i = 0; i < 10'000; ++i) // several times the buffer of the pipe
    to.write(log_level::info, "unread", {{"number", i}});
  to.end(timespan{1});
  to.write(log_level::info, "too_late");
  BOOST_TEST(!to.flush(timespan{1})); // lines were given up
}

BOOST_FIXTURE_TEST_CASE(a_log_in_a_pipe_is_written_line_by_line, log_to_pipe) {
  log to{stream, log_format::text, log_level::info, clock, ends[1]};
  to.write(log_level::debug, "too_small_a_thing");
  to.write(log_level::info, "first", {{"number", 1}});
  to.write(log_level::error, "second");
  BOOST_TEST(to.flush(ample));
  std::string all(4'096, '\0');
  auto count = ::read(ends[0], all.data(), all.size());
  BOOST_REQUIRE(count > 0);
  all.resize(static_cast<size_t>(count));
  BOOST_TEST(all.find(" info first number=1\n") != std::string::npos, all);
  BOOST_TEST(all.find(" error second\n") != std::string::npos, all);
  BOOST_TEST(all.find("too_small") == std::string::npos, all);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
