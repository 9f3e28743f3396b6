#include <memory>
#include <utility>

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

BOOST_AUTO_TEST_CASE(a_long_log_keeps_exactly_its_capacity) {
  event_log log{1000};
  for (unsigned i = 1; i <= 3000; ++i) {
    append(log, 1);
    BOOST_REQUIRE(log.oldest() == (i > 1000 ? i - 999 : 1));
    BOOST_REQUIRE(log.at(log.oldest()).sequence == log.oldest());
    BOOST_REQUIRE(log.at(i).sequence == i);
  }
}

BOOST_AUTO_TEST_CASE(readers_share_one_change) {
  event_log log{3};
  append(log, 2);
  event_list one;
  event_list other;
  log.share(1, one);
  log.share(2, one);
  log.share(2, other);
  BOOST_TEST(one.size() == 2u);
  BOOST_TEST(&one[1] == &other[0]);
}

BOOST_AUTO_TEST_CASE(a_change_lives_as_long_as_somebody_reads_it) {
  event_list list;
  {
    event_log log{1};
    append(log, 600);
    log.share(600, list);
    append(log, 600);
  }
  BOOST_TEST(list.size() == 1u);
  BOOST_TEST(list.begin()->sequence == 600u);
}

BOOST_AUTO_TEST_CASE(a_list_made_of_events_has_them_in_order) {
  std::vector<page_event> events(3);
  for (size_t i = 0; i < events.size(); ++i)
    events[i].sequence = i + 7;
  event_list list{std::move(events)};
  uint64_t expected = 7;
  for (const auto& x : list)
    BOOST_TEST(x.sequence == expected++);
  BOOST_TEST(expected == 10u);
}

} // namespace scratchpage
