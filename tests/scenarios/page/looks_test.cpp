#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// Long queries do not delay other requests for long.

namespace scratchpage::test {

namespace {

caller outside(std::string name) {
  auto result = as_daemon(std::move(name));
  result.outside = true;
  return result;
}

/// A page on which queries take long: after `be_slow`, each reading of its clock advances it.
struct busy_page : page_fixture {
  using answer = std::shared_ptr<pending_answer<query_result>>;

  busy_page() {
    start();
    add_observations wines{as_daemon("planner"), {}};
    wines.drafts.assign(1500, note("A wine", {"wine"}));
    for (auto& x : wines.drafts)
      x.confidence = 0.52; // the index cannot answer: each is checked
    value(ask(page, std::move(wines)));
  }

  void be_slow(timespan step = std::chrono::milliseconds{20}) { page_clock->step = step; }

  static query_observations looking(const caller& by, std::string text = {}) {
    auto result = asking({}, std::move(text), 10);
    result.by = by;
    return result;
  }

  std::vector<answer> start_queries(size_t count, const caller& by, const std::string& text = {}) {
    std::vector<answer> result;
    for (size_t i = 0; i < count; ++i)
      result.push_back(start_query(looking(by, text.empty() ? "" : text + std::to_string(i))));
    return result;
  }

  answer start_query(query_observations x) { return send(page, std::move(x)); }

  auto start_add() { return send(page, add_observation{outside("other"), note("Something else")}); }

  /// A query that takes long and has a deadline of ten seconds.
  static query_observations long_query(const caller& by) {
    auto result = asking({.min_confidence = 0.51}, "wine");
    result.by = by;
    result.deadline = std::chrono::seconds{10};
    return result;
  }

  static size_t arrived(const std::vector<answer>& xs) {
    return static_cast<size_t>(
      std::count_if(xs.begin(), xs.end(), [](const answer& x) { return x->arrived(); }));
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(looks, busy_page)

BOOST_AUTO_TEST_CASE(what_is_added_waits_for_one_query_from_outside_and_not_for_all) {
  be_slow();
  auto queries = start_queries(10, outside("asker"));
  auto added = start_add();
  settle();
  BOOST_REQUIRE(added->arrived());
  BOOST_TEST(static_cast<bool>(*added->value));
  BOOST_TEST(arrived(queries) == 1u);
  advance(std::chrono::milliseconds{1});
  BOOST_TEST(arrived(queries) == 10u);
  for (const auto& x : queries)
    BOOST_TEST(value(std::move(*x->value)).observations.size() == 10u);
}

BOOST_AUTO_TEST_CASE(whoever_asks_most_waits_longest) {
  be_slow();
  start_queries(5, outside("asker"), "many");
  start_queries(1, outside("another"), "one");
  advance(std::chrono::milliseconds{1});
  std::string order;
  for (const auto& x : traced("query_observations"))
    order += std::string{x.detail.at("text").as_string()} + " ";
  BOOST_TEST(order == "many0 many1 one0 many2 many3 many4 ");
}

BOOST_AUTO_TEST_CASE(other_looks_from_outside_wait_for_their_turn_as_well) {
  be_slow();
  auto queries = start_queries(2, outside("asker"));
  auto x = new_probe();
  auto order = order_of(x);
  order.by = outside("asker");
  auto subscribed = send(page, std::move(order));
  auto active = send(page, get_active_observations{outside("asker"), 10, {}});
  auto added = start_add();
  settle();
  BOOST_TEST(added->arrived());
  BOOST_TEST(!subscribed->arrived());
  BOOST_TEST(!active->arrived());
  advance(std::chrono::milliseconds{1});
  BOOST_TEST(static_cast<bool>(value(std::move(*subscribed->value)) > 0));
  BOOST_TEST(value(std::move(*active->value)).observations.size() == 10u);
}

BOOST_AUTO_TEST_CASE(listings_of_an_archive_in_memory_wait_for_their_turn_as_well) {
  be_slow();
  start_queries(2, outside("asker"));
  auto outer = send(page, list_archive{outside("asker"), {}, 10, {}});
  auto inner = send(page, list_archive{as_daemon("executor"), {}, 10, {}});
  settle();
  BOOST_TEST(!outer->arrived());
  BOOST_TEST(inner->arrived());
  advance(std::chrono::milliseconds{1});
  BOOST_REQUIRE(outer->arrived());
  BOOST_TEST(value(std::move(*outer->value)).observations.empty());
}

BOOST_AUTO_TEST_CASE(the_agents_own_daemons_do_not_wait) {
  be_slow();
  auto outer = start_queries(5, outside("asker"));
  auto inner = start_queries(5, as_daemon("executor"));
  settle();
  BOOST_TEST(arrived(outer) == 1u);
  BOOST_TEST(arrived(inner) == 5u);
}

BOOST_AUTO_TEST_CASE(quick_queries_are_answered_in_their_order) {
  auto queries = start_queries(10, outside("asker"));
  settle();
  BOOST_TEST(arrived(queries) == 10u);
}

BOOST_AUTO_TEST_CASE(only_so_many_looks_of_one_principal_wait) {
  be_slow();
  auto queries = start_queries(query_limits::waiting + 2, outside("asker"));
  auto other = start_query(looking(outside("another")));
  settle();
  BOOST_TEST(arrived(queries) == 2u);
  BOOST_TEST(refused(*queries.back()->value, errc::overloaded, ""));
  advance(std::chrono::milliseconds{1});
  BOOST_TEST(static_cast<bool>(*other->value));
}

BOOST_AUTO_TEST_CASE(a_query_has_more_time_than_is_usual_as_long_as_nobody_waits) {
  be_slow();
  auto alone = start_query(long_query(outside("asker")));
  settle();
  auto found = value(std::move(*alone->value));
  BOOST_TEST(!found.partial);
  BOOST_TEST(found.total_count == 1500u);
  auto beside = start_query(long_query(outside("asker")));
  start_add();
  settle();
  BOOST_TEST(value(std::move(*beside->value)).partial);
}

BOOST_AUTO_TEST_CASE(a_query_of_a_daemon_has_its_time_whoever_waits) {
  be_slow();
  auto query = start_query(long_query(as_daemon("executor")));
  start_add();
  settle();
  BOOST_TEST(!value(std::move(*query->value)).partial);
}

BOOST_AUTO_TEST_CASE(the_deadline_holds_while_an_answer_is_gathered_and_the_cursor_goes_on) {
  be_slow(std::chrono::milliseconds{10});
  auto request = asking({}, {}, 1000);
  std::vector<observation_ptr> all;
  do {
    auto found = query(request);
    BOOST_TEST(found.observations.size() >= 128u);
    BOOST_TEST(found.observations.size() < 1000u);
    BOOST_TEST(found.partial == !found.next_cursor.empty());
    all.insert(all.end(), found.observations.begin(), found.observations.end());
    request.cursor = found.next_cursor;
  } while (!request.cursor.empty());
  BOOST_REQUIRE(all.size() == 1500u);
  for (size_t i = 0; i < all.size(); ++i)
    BOOST_TEST(number_of(*all[i]) == std::to_string(1500 - i));
}

BOOST_AUTO_TEST_CASE(the_deadline_holds_while_the_active_ones_are_gathered) {
  be_slow(std::chrono::milliseconds{10});
  auto found = value(ask(page, get_active_observations{as_daemon("reader"), 1000, {}}));
  BOOST_TEST(found.partial);
  BOOST_TEST(found.observations.size() >= 128u);
  BOOST_TEST(found.observations.size() < 1000u);
  BOOST_TEST(!found.next_cursor.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
