#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/persistence/memories/archive.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"

namespace scratchpage {

using test::at;
using test::ids;
using test::sample;
using test::shared;

namespace {

/// Archives the observation obs_<number>, which left after `seconds` seconds.
void put(archive& kept, uint64_t number, int64_t seconds, status how = status::archived) {
  auto x = sample("obs_" + std::to_string(number));
  x.status = how;
  kept.put(number, shared(std::move(x)), at(seconds));
}

void put_long(archive& kept, uint64_t number, size_t bytes) {
  auto x = sample("obs_" + std::to_string(number));
  x.status = status::archived;
  x.content = std::string(bytes, 'x');
  kept.put(number, shared(std::move(x)), at(static_cast<int64_t>(number)));
}

query_result list(const archive& kept, const observation_filter& filter = {}, uint32_t limit = 10,
  const std::string& cursor = {}) {
  auto found = kept.list(filter, limit, cursor);
  BOOST_REQUIRE_MESSAGE(found, describe(found ? caf::error{} : found.error()));
  return *found;
}

} // namespace

BOOST_AUTO_TEST_SUITE(an_archive)

BOOST_AUTO_TEST_CASE(lists_what_left_last_first) {
  archive kept;
  put(kept, 1, 30);
  put(kept, 2, 10);
  put(kept, 3, 20);
  put(kept, 4, 20);
  BOOST_TEST(ids(list(kept).observations) == "obs_1 obs_4 obs_3 obs_2");
}

BOOST_AUTO_TEST_CASE(lists_every_status_unless_one_is_asked_for) {
  archive kept;
  put(kept, 1, 1, status::archived);
  put(kept, 2, 2, status::expired);
  put(kept, 3, 3, status::evicted);
  BOOST_TEST(ids(list(kept).observations) == "obs_3 obs_2 obs_1");
  observation_filter filter;
  filter.status = {status::expired};
  BOOST_TEST(ids(list(kept, filter).observations) == "obs_2");
}

BOOST_AUTO_TEST_CASE(counts_all_matches_whatever_the_limit) {
  archive kept;
  for (uint64_t i = 1; i <= 25; ++i)
    put(kept, i, static_cast<int64_t>(i));
  auto found = list(kept, {}, 10);
  BOOST_TEST(found.observations.size() == 10u);
  BOOST_TEST(found.total_count == 25u);
  BOOST_TEST(!found.next_cursor.empty());
}

BOOST_AUTO_TEST_CASE(pages_through_without_loss_or_repetition_while_others_write) {
  archive kept;
  for (uint64_t i = 1; i <= 6; ++i)
    put(kept, i, static_cast<int64_t>(i));
  auto first = list(kept, {}, 2);
  put(kept, 7, 7);
  auto second = list(kept, {}, 2, first.next_cursor);
  put(kept, 8, 8);
  auto third = list(kept, {}, 2, second.next_cursor);
  BOOST_TEST(ids(first.observations) == "obs_6 obs_5");
  BOOST_TEST(ids(second.observations) == "obs_4 obs_3");
  BOOST_TEST(ids(third.observations) == "obs_2 obs_1");
  BOOST_TEST(third.next_cursor.empty());
  BOOST_TEST(third.total_count == 8u);
}

BOOST_AUTO_TEST_CASE(pages_within_one_instant) {
  archive kept;
  for (uint64_t i = 1; i <= 5; ++i)
    put(kept, i, 1);
  std::string seen;
  std::string cursor;
  do {
    auto page = list(kept, {}, 2, cursor);
    seen += ids(page.observations) + ";";
    cursor = page.next_cursor;
  } while (!cursor.empty());
  BOOST_TEST(seen == "obs_5 obs_4;obs_3 obs_2;obs_1;");
}

BOOST_AUTO_TEST_CASE(has_no_next_page_when_the_rest_does_not_match) {
  archive kept;
  put(kept, 1, 1, status::expired);
  put(kept, 2, 2, status::archived);
  observation_filter filter;
  filter.status = {status::archived};
  BOOST_TEST(list(kept, filter, 1).next_cursor.empty());
}

BOOST_AUTO_TEST_CASE(refuses_cursors_and_limits_that_are_none) {
  archive kept;
  put(kept, 1, 1);
  for (auto cursor :
    {"x", "1", "1.", ".1", "1.2.3", "1.-2", " 1.2", "1.2 ", "99999999999999999999999.1"}) {
    auto found = kept.list({}, 10, cursor);
    BOOST_REQUIRE_MESSAGE(!found, cursor);
    BOOST_TEST(to_string(code_of(found.error())) == "invalid_request");
    BOOST_TEST(field_of(found.error()) == "cursor");
  }
  for (uint32_t limit : {0u, 1001u}) {
    auto found = kept.list({}, limit, "");
    BOOST_REQUIRE(!found);
    BOOST_TEST(field_of(found.error()) == "limit");
  }
}

BOOST_AUTO_TEST_CASE(finds_by_id) {
  archive kept;
  put(kept, 1, 1);
  put(kept, 2, 2);
  BOOST_REQUIRE(kept.find("obs_1"));
  BOOST_TEST(kept.find("obs_1")->observation_id == "obs_1");
  BOOST_TEST(!kept.find("obs_3"));
  BOOST_TEST(!kept.find(""));
}

BOOST_AUTO_TEST_CASE(keeps_no_more_than_it_may_and_counts_what_it_dropped) {
  archive kept{{.max_observations = 3}};
  for (uint64_t i = 1; i <= 5; ++i)
    put(kept, i, static_cast<int64_t>(i));
  BOOST_TEST(kept.size() == 3u);
  BOOST_TEST(kept.dropped() == 2u);
  BOOST_TEST(ids(list(kept).observations) == "obs_5 obs_4 obs_3");
  BOOST_TEST(!kept.find("obs_1"));
}

BOOST_AUTO_TEST_CASE(keeps_no_more_bytes_than_it_may) {
  archive kept{{.max_bytes = 100'000}};
  for (uint64_t number = 1; number <= 10; ++number)
    put_long(kept, number, 30'000);
  BOOST_TEST(ids(list(kept).observations) == "obs_10 obs_9 obs_8");
  BOOST_TEST(kept.bytes() <= 100'000u);
  BOOST_TEST(kept.bytes() > 90'000u);
  BOOST_TEST(kept.dropped() == 7u);
  kept.forget("obs_9");
  put_long(kept, 11, 30'000);
  BOOST_TEST(ids(list(kept).observations) == "obs_11 obs_10 obs_8");
}

BOOST_AUTO_TEST_CASE(an_answer_ends_when_its_observations_have_so_many_bytes) {
  archive kept;
  constexpr uint64_t each = 1'000'000;
  constexpr auto all = answer_limits::bytes / each + 5;
  for (uint64_t number = 1; number <= all; ++number)
    put_long(kept, number, each);
  auto first = list(kept, {}, 1000);
  BOOST_TEST(first.total_count == all);
  BOOST_TEST(first.observations.size() < all);
  BOOST_TEST(first.observations.size() * each <= answer_limits::bytes + each);
  auto rest = list(kept, {}, 1000, first.next_cursor);
  BOOST_TEST(first.observations.size() + rest.observations.size() == all);
  BOOST_TEST(rest.next_cursor == "");
}

BOOST_AUTO_TEST_CASE(keeps_one_observation_once) {
  archive kept;
  put(kept, 1, 1, status::evicted);
  put(kept, 2, 2);
  put(kept, 1, 3, status::archived);
  BOOST_TEST(ids(list(kept).observations) == "obs_1 obs_2");
  BOOST_TEST(to_string(kept.find("obs_1")->status) == "archived");
  BOOST_TEST(kept.dropped() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
