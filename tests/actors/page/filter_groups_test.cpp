#define BOOST_TEST_MODULE filter_groups
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <vector>

#include <rapidcheck.h>

#include "scratchpage/actors/page/filter_groups.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/tests/support/chance.hpp"
#include "scratchpage/tests/support/fixed_seed.hpp"
#include "scratchpage/tests/support/observations.hpp"

/// Which subscriptions match a change, and which of them share a check.

namespace scratchpage::test {

namespace {

page_event change_of(observation x, event_kind kind = event_kind::added) {
  page_event result;
  result.sequence = 1;
  result.kind = kind;
  result.observation = observation_ptr{std::move(x)};
  return result;
}

observation_filter of_tag(const std::string& tag) {
  observation_filter x;
  x.tags = {tag};
  return x;
}

observation tagged(std::vector<std::string> tags) {
  auto x = plain_observation(1);
  x.tags = std::move(tags);
  return x;
}

/// A random filter of few values, so that many filters are equal and many match.
observation_filter any_filter(chance& pick) {
  observation_filter x;
  if (pick.one_in(3))
    x.type = {pick.any_of<const char*>({"alert", "reminder"})};
  if (pick.one_in(6))
    x.type = {"alert", "learning", "alert"};
  if (pick.one_in(4))
    x.status = {pick.any_of({status::active, status::resolved})};
  if (pick.one_in(4))
    x.source = {pick.any_of<const char*>({"weather", "calendar"}), "weather"};
  if (pick.one_in(6))
    x.owner = {"user"};
  for (const auto* tag : {"wine", "tea"})
    if (pick.one_in(4))
      x.tags.emplace_back(tag);
  if (pick.one_in(6))
    x.min_confidence = 0.5;
  for (const auto* path : {"goal_id", "user_id", "place.city"})
    if (pick.one_in(6))
      x.context[path] = pick.any_of<json::value>({"a", "b", 1, 1.0});
  if (pick.one_in(4))
    x.turn_id = pick.any_of<const char*>({"turn_1", "turn_2"});
  if (pick.one_in(6))
    x.created_after = at_ms(static_cast<int64_t>(pick.below(3)));
  return x;
}

/// The filters of a subscription: one or several, some of them equal.
std::vector<observation_filter> any_filters(chance& pick) {
  std::vector<observation_filter> result{any_filter(pick)};
  while (pick.one_in(3))
    result.push_back(pick.one_in(4) ? result.front() : any_filter(pick));
  return result;
}

observation any_observation(chance& pick) {
  auto x = plain_observation(1 + pick.below(3));
  x.type = pick.any_of<const char*>({"alert", "reminder", "learning", "observation"});
  x.status = pick.any_of({status::active, status::resolved});
  x.source.name = pick.any_of<const char*>({"weather", "calendar", "planner"});
  x.source.turn_id = pick.any_of<const char*>({"turn_1", "turn_2", ""});
  x.owner = pick.any_of<const char*>({"agent", "user"});
  x.confidence = pick.any_of({0.1, 0.9});
  for (const auto* tag : {"wine", "tea", "milk"})
    if (pick.one_in(2))
      x.tags.emplace_back(tag);
  for (const auto* name : {"goal_id", "user_id"})
    if (pick.one_in(2))
      x.context[name] = pick.any_of<json::value>({"a", "b", 1, 1.0});
  if (pick.one_in(3))
    x.context["place"] = {{"city", "a"}};
  return x;
}

} // namespace

BOOST_AUTO_TEST_CASE(equal_filters_share_one_interest) {
  filter_groups all{100};
  auto& first = all.join({of_tag("wine")}, 1);
  for (int i = 1; i < 1'000; ++i)
    BOOST_REQUIRE(&all.join({of_tag("wine")}, 1) == &first);
  BOOST_TEST(all.size() == 1u);
  auto& other = all.join({of_tag("beer")}, 1);
  BOOST_TEST(&other != &first);
  auto finer = of_tag("wine");
  finer.context["goal_id"] = "trip";
  BOOST_TEST(&all.join({finer}, 1) != &first);
  BOOST_TEST(all.size() == 3u);
}

BOOST_AUTO_TEST_CASE(an_interest_lasts_until_the_last_has_left) {
  filter_groups all{100};
  auto& x = all.join({of_tag("wine")}, 1);
  all.join({of_tag("wine")}, 1);
  all.leave(x);
  BOOST_TEST(all.matching(change_of(tagged({"wine"}))).size() == 1u);
  all.leave(x);
  BOOST_TEST(all.matching(change_of(tagged({"wine"}))).empty());
  BOOST_TEST(all.size() == 0u);
}

BOOST_AUTO_TEST_CASE(who_asks_for_one_of_several_is_found_by_each_of_them) {
  filter_groups all{100};
  observation_filter filter;
  filter.type = {"alert", "reminder", "alert"};
  auto& x = all.join({filter}, 1);
  for (const auto* type : {"alert", "reminder"}) {
    auto about = plain_observation(1);
    about.type = type;
    auto found = all.matching(change_of(about));
    BOOST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found.front() == &x);
  }
  all.leave(x);
  BOOST_TEST(all.size() == 0u);
}

BOOST_AUTO_TEST_CASE(who_has_several_filters_is_found_once_by_any_of_them) {
  filter_groups all{100};
  observation_filter alerts;
  alerts.type = {"alert"};
  auto& x = all.join({alerts, of_tag("wine"), of_tag("tea")}, 1);
  auto alert = plain_observation(1);
  alert.type = "alert";
  BOOST_TEST(all.matching(change_of(alert)).size() == 1u);
  BOOST_TEST(all.matching(change_of(tagged({"wine", "tea"}))).size() == 1u);
  BOOST_TEST(all.matching(change_of(tagged({"beer"}))).empty());
  BOOST_TEST(&all.join({alerts, of_tag("wine"), of_tag("tea")}, 1) == &x);
  BOOST_TEST(&all.join({alerts, of_tag("wine")}, 1) != &x);
}

BOOST_AUTO_TEST_CASE(ends_are_wanted_whatever_the_status_was) {
  filter_groups all{100};
  observation_filter filter;
  filter.status = {status::active};
  all.join({filter}, 1);
  auto resolved = plain_observation(1);
  resolved.status = status::resolved;
  BOOST_TEST(all.matching(change_of(resolved, event_kind::updated)).empty());
  BOOST_TEST(all.matching(change_of(resolved, event_kind::archived)).size() == 1u);
}

BOOST_AUTO_TEST_CASE(finds_what_asking_one_by_one_finds) {
  BOOST_TEST(rc::check("however many come and go", [](uint64_t seed) {
    chance pick{seed};
    filter_groups all{100};
    std::vector<filter_group*> joined;
    std::vector<std::vector<observation_filter>> filters;
    for (auto count = pick.below(60); count > 0; --count) {
      filters.push_back(any_filters(pick));
      joined.push_back(&all.join(filters.back(), 1));
      if (!pick.one_in(4))
        continue;
      auto leaving = static_cast<std::ptrdiff_t>(pick.below(joined.size()));
      all.leave(*joined[static_cast<size_t>(leaving)]);
      joined.erase(joined.begin() + leaving);
      filters.erase(filters.begin() + leaving);
    }
    for (int i = 0; i < 20; ++i) {
      auto about = change_of(any_observation(pick),
        pick.any_of({event_kind::added, event_kind::updated, event_kind::expired}));
      std::map<const filter_group*, int> expected, got;
      for (size_t one = 0; one < filters.size(); ++one)
        for (auto filter : filters[one]) {
          if (is_end(about.kind))
            filter.status.clear();
          if (matches(filter, *about.observation))
            expected[joined[one]] = 1;
        }
      for (const auto* x : all.matching(about))
        ++got[x];
      RC_ASSERT(got == expected);
    }
    for (auto* x : joined)
      all.leave(*x);
    RC_ASSERT(all.size() == 0u);
  }));
}

} // namespace scratchpage::test
