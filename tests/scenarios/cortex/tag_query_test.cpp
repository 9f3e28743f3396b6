#include <algorithm>
#include <set>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/cortex/cortex_team.hpp"

namespace scratchpage::test {

namespace {

/// Three observations, two of them about wine.
struct tagged_page : cortex_team {
  observation_ptr preference, budget, travel;

  tagged_page() {
    start();
    preference = note("User prefers Burgundy wines", 0.95, {"wine", "preference"});
    budget = note("A bottle may cost $50", 0.8, {"wine", "budget"});
    travel = note("User travels to Paris", 0.7, {"travel", "destination"});
  }

  query_result active(std::vector<std::string> tags) {
    observation_filter filter;
    filter.tags = std::move(tags);
    filter.status = {status::active};
    return query(std::move(filter));
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(tag_queries)

BOOST_FIXTURE_TEST_CASE(
  a_query_by_tag_finds_what_has_it_and_nothing_else, tagged_page, *label("FC_6")) {
  auto found = active({"wine"});
  BOOST_TEST(found.total_count == 2u);
  BOOST_TEST(ids_of(found.observations) == ids_of({budget, preference}), per_element());
  for (const auto& x : found.observations)
    BOOST_TEST(std::count(x->tags.begin(), x->tags.end(), "wine") == 1);
  BOOST_TEST(found.query_time_ms < 50);
  BOOST_TEST(!found.partial);
  const auto& newest = *found.observations.front();
  BOOST_TEST(newest.observation_id == "obs_20251105_002");
  BOOST_TEST(newest.content == "A bottle may cost $50");
  BOOST_TEST(newest.confidence == 0.8);
  BOOST_TEST(newest.tags == budget->tags, per_element());
}

BOOST_FIXTURE_TEST_CASE(
  a_large_result_is_paged_without_loss_while_others_write, tagged_page, *label("FC_6")) {
  for (int i = 0; i < 250; ++i)
    note("bottle " + std::to_string(i), 0.5, {"wine", "stock"});
  query_observations request;
  request.by = as_daemon("probe");
  request.filter.tags = {"wine"};
  request.filter.status = {status::active};
  request.limit = 100;
  std::set<std::string> seen;
  std::vector<size_t> sizes;
  do {
    auto page = value(ask(host->page(), request));
    BOOST_TEST(page.query_time_ms < 50);
    BOOST_TEST(page.total_count >= 252u);
    for (const auto& x : page.observations)
      BOOST_TEST(seen.insert(x->observation_id).second);
    sizes.push_back(page.observations.size());
    request.cursor = page.next_cursor;
    note("one more", 0.5, {"wine", "stock"});
  } while (!request.cursor.empty());
  BOOST_TEST(sizes == (std::vector<size_t>{100, 100, 52}), per_element());
  BOOST_TEST(seen.contains(preference->observation_id));
  BOOST_TEST(!seen.contains(travel->observation_id));
}

BOOST_FIXTURE_TEST_CASE(several_tags_are_all_required, tagged_page, *label("FC_6_e1")) {
  BOOST_TEST(ids_of(active({"wine", "budget"}).observations) == ids_of({budget}), per_element());
  BOOST_TEST(active({"preference", "budget"}).total_count == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_tag_that_nobody_has_finds_nothing, tagged_page, *label("FC_6_e2")) {
  auto found = active({"beer"});
  BOOST_TEST(found.observations.empty());
  BOOST_TEST(found.total_count == 0u);
  BOOST_TEST(found.next_cursor.empty());
  BOOST_TEST(!found.partial);
  BOOST_TEST(active({"Wine"}).total_count == 0u); // tags are compared exactly
}

BOOST_FIXTURE_TEST_CASE(no_tags_filter_nothing, tagged_page, *label("FC_6_e3")) {
  BOOST_TEST(
    ids_of(active({}).observations) == ids_of({travel, budget, preference}), per_element());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
