#include <chrono>
#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/cli/io/log.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage::test {

namespace {

struct logged_requests {
  std::ostringstream text;
  wall_clock clock;
  log to{text, log_format::text, log_level::warning, clock};
  request_log requests{to};
  request_log::time_point now = std::chrono::steady_clock::now();

  void answer(uint32_t status, std::string path = "/x") {
    http::access_log_entry x;
    x.method = "GET";
    x.path = std::move(path);
    x.status = status;
    requests.tell(x, now);
  }

  size_t count(const std::string& part) {
    size_t result = 0;
    BOOST_TEST(to.flush(std::chrono::seconds{60}));
    auto all = text.str();
    for (auto at = all.find(part); at != std::string::npos; at = all.find(part, at + 1))
      ++result;
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(request_logs, logged_requests)

BOOST_AUTO_TEST_CASE(what_a_bound_has_refused_is_a_warning_and_what_failed_an_error) {
  for (auto status : {200, 404, 401, 403, 429, 503, 500})
    answer(static_cast<uint32_t>(status));
  BOOST_TEST(count(" warning request ") == 4u);
  BOOST_TEST(count(" error request ") == 1u);
  BOOST_TEST(count("status=200") + count("status=404") == 0u);
}

BOOST_AUTO_TEST_CASE(a_flood_of_refusals_does_not_fill_the_log_and_is_told_of_in_a_number) {
  for (auto i = 0; i < 1'000; ++i)
    answer(503);
  BOOST_TEST(count("\n") == request_log::max_refused_per_second);
  now += std::chrono::seconds{1};
  answer(503, "/later");
  BOOST_TEST(count("requests_not_told count=980") == 1u);
  BOOST_TEST(count("path=/later") == 1u);
  answer(503);
  BOOST_TEST(count("requests_not_told") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
