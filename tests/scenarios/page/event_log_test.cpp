#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/event_log.hpp"

namespace scratchpage {

namespace {

void append(event_log& log, unsigned count) {
  for (; count > 0; --count) {
    page_event x;
    x.sequence = log.next();
    log.append(std::move(x));
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(an_empty_log_begins_at_1) {
  event_log log{3};
  BOOST_TEST(log.next() == 1u);
  BOOST_TEST(log.oldest() == 1u);
}

BOOST_AUTO_TEST_CASE(a_log_keeps_the_last_changes_and_counts_all) {
  event_log log{3};
  append(log, 3);
  BOOST_TEST(log.oldest() == 1u);
  append(log, 2);
  BOOST_TEST(log.next() == 6u);
  BOOST_TEST(log.oldest() == 3u);
  for (auto sequence = log.oldest(); sequence < log.next(); ++sequence)
    BOOST_TEST(log.at(sequence).sequence == sequence);
}

BOOST_AUTO_TEST_CASE(a_log_without_room_still_counts) {
  event_log log{0};
  append(log, 2);
  BOOST_TEST(log.next() == 3u);
  BOOST_TEST(log.oldest() == 3u);
}

} // namespace scratchpage
