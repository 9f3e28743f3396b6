#include <chrono>
#include <future>
#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/cli/io/shutdown.hpp"

namespace scratchpage::test {

namespace {

struct ending_process {
  std::ostringstream out;
  std::ostringstream err;
  std::promise<exit_code> ended;
  size_t ends = 0;
  command_environment environment{out, err, {}, {}, false, {}, {}};

  ending_process() {
    environment.end_now = [this](exit_code code) {
      ++ends;
      ended.set_value(code);
    };
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_deadline_of_an_end, ending_process)

BOOST_AUTO_TEST_CASE(ends_the_process_when_that_takes_too_long_and_says_so_before) {
  std::string said;
  end_deadline late{environment, timespan{1}, [&] { said = "too long"; }};
  late.begin();
  BOOST_CHECK(ended.get_future().get() == exit_code::unmet);
  BOOST_TEST(said == "too long");
}

BOOST_AUTO_TEST_CASE(leaves_alone_what_ends_in_time_or_is_not_asked_to_end) {
  {
    end_deadline late{environment, std::chrono::hours{1}};
    late.begin();
  }
  { end_deadline late{environment, timespan{1}}; }
  BOOST_TEST(ends == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
