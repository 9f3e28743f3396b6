#include <boost/test/unit_test.hpp>

#include <chrono>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_CASE(timestamps_are_rfc_3339_in_utc_with_milliseconds) {
  auto at = from_rfc3339("2025-11-05T10:30:00.5+01:00");
  BOOST_REQUIRE(at.has_value());
  BOOST_TEST(to_rfc3339(*at) == "2025-11-05T09:30:00.500Z");
  for (auto bad : {"", "2025-13-05T10:30:00Z", "2025-11-05T25:30:00Z", "2025-11-05 10:30",
         "2025-11-05T10:30:00", "2025-11-05T10:30:00.Z", "2025-11-05T10:30:00Zx"})
    BOOST_TEST(!from_rfc3339(bad), bad);
}

BOOST_AUTO_TEST_CASE(numbers_become_spans_and_keep_their_fractions) {
  using namespace std::chrono_literals;
  BOOST_TEST((from_milliseconds(0) == 0ns));
  BOOST_TEST((from_milliseconds(1500) == 1500ms));
  BOOST_TEST((from_milliseconds(0.25) == 250us));
  BOOST_TEST((from_milliseconds(-1) == -1ms));
  BOOST_TEST((from_minutes(1.5) == 90s));
  BOOST_TEST(in_milliseconds(from_milliseconds(12.5)) == 12.5);
}

} // namespace scratchpage
