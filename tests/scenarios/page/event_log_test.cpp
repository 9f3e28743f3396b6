#include <algorithm>
#include <memory>
#include <random>
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

BOOST_AUTO_TEST_CASE(a_log_has_its_changes_and_no_more_bytes_than_it_may_whatever_their_sizes) {
  constexpr size_t largest = 100'000;
  constexpr size_t most_bytes = 10'000'000;
  constexpr size_t beyond = 64 * largest + 256 * 1024; // one block and one segment
  std::mt19937 random{7};
  for (int log_number = 0; log_number < 20; ++log_number) {
    size_t alive = 0; // bytes of the observations that are not deleted
    auto capacity = random() % 2'000;
    event_log log{capacity, most_bytes};
    auto is_large = false;
    for (uint64_t i = 1; i <= 3'000; ++i) {
      is_large = random() % 200 == 0 ? !is_large : is_large;
      page_event x;
      x.sequence = i;
      x.bytes = static_cast<uint32_t>(1 + random() % (is_large ? largest : 500));
      auto forget = [&alive, size = x.bytes](const observation* gone) {
        alive -= size;
        delete gone;
      };
      x.observation = observation_ptr{std::shared_ptr<const observation>{new observation, forget}};
      alive += x.bytes;
      log.append(std::move(x));
      BOOST_REQUIRE(log.next() == i + 1);
      BOOST_REQUIRE(log.next() - log.oldest() <= capacity);
      BOOST_REQUIRE(alive <= most_bytes + beyond);
      if (random() % 50 == 0)
        for (auto at = log.oldest(); at < log.next(); ++at)
          BOOST_REQUIRE(log.at(at).sequence == at);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_revised_is_so_in_every_segment_but_not_for_who_reads_it) {
  event_log log{1'000};
  append(log, 900);
  event_list read;
  for (uint64_t at = 1; at < log.next(); ++at)
    log.share(at, read);
  log.revise([](page_event& x) {
    x.turn_id = "revised";
    return true;
  });
  append(log, 100);
  for (uint64_t at = 1; at < log.next(); ++at) {
    BOOST_REQUIRE(log.at(at).sequence == at);
    BOOST_REQUIRE(log.at(at).turn_id == (at <= 900 ? "revised" : ""));
  }
  BOOST_TEST(
    std::all_of(read.begin(), read.end(), [](const auto& x) { return x.turn_id.empty(); }));
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
