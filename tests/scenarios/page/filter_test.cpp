#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// Each member of a filter, alone and combined with others (contract 3).

namespace scratchpage::test {

namespace {

using std::chrono::minutes;

/// A page with three observations, added a minute apart, that differ in every member.
struct three_notes : page_fixture {
  timestamp began = now();

  three_notes() {
    start();
    auto first = draft("reminder", "first", {"wine", "red"});
    first.confidence = 0.3;
    first.owner = "user";
    first.context = {{"goal_id", "dinner"}, {"guests", 4}, {"place", {{"city", "Paris"}}}};
    add(first, as_tool("cellar", "turn_1"));
    advance(minutes{1});
    auto second = draft("observation", "second", {"wine"});
    second.confidence = 0.6;
    second.owner = "cellar";
    second.context = {{"goal_id", "trip"}, {"guests", 4.0}};
    add(second, as_daemon("planner", "turn_2"));
    advance(minutes{1});
    auto third = draft("alert", "third");
    third.confidence = 0.9;
    third.context = {{"goal_id", "dinner"}, {"urgent", true}, {"place", {{"city", "Rome"}}}};
    add(third, as_user("ann", "turn_2"));
  }

  std::string found(observation_filter filter) {
    auto result = query(asking(std::move(filter)));
    BOOST_TEST(result.total_count == result.observations.size());
    return numbers(result);
  }

  std::string where(std::map<std::string, json::value> context) {
    observation_filter x;
    x.context = std::move(context);
    return found(std::move(x));
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(one_value_or_any_of_several, three_notes) {
  BOOST_TEST(found(with_types({"reminder"})) == "1");
  BOOST_TEST(found(with_types({"alert", "reminder"})) == "3 1");
  BOOST_TEST(found(with_types({"rumour"})) == "");
  BOOST_TEST(found({.source = {"cellar"}}) == "1");
  BOOST_TEST(found({.source = {"planner", "ann"}}) == "3 2");
  BOOST_TEST(found({.owner = {"user"}}) == "1");
  BOOST_TEST(found({.owner = {"agent", "cellar"}}) == "3 2");
}

BOOST_FIXTURE_TEST_CASE(all_of_the_tags_and_no_tags_filter_nothing, three_notes) {
  BOOST_TEST(found(with_tags({"wine"})) == "2 1");
  BOOST_TEST(found(with_tags({"wine", "red"})) == "1");
  BOOST_TEST(found(with_tags({"wine", "white"})) == "");
  BOOST_TEST(found(with_tags({"Wine"})) == "");
  BOOST_TEST(found(with_tags({})) == "3 2 1");
}

BOOST_FIXTURE_TEST_CASE(at_least_so_certain, three_notes) {
  BOOST_TEST(found({.min_confidence = 0.6}) == "3 2");
  BOOST_TEST(found({.min_confidence = 0.61}) == "3");
  BOOST_TEST(found({.min_confidence = 0}) == "3 2 1");
  BOOST_TEST(found({.min_confidence = 1}) == "");
}

BOOST_FIXTURE_TEST_CASE(every_path_of_the_context_equals, three_notes) {
  BOOST_TEST(where({{"goal_id", "dinner"}}) == "3 1");
  BOOST_TEST(where({{"goal_id", "dinner"}, {"place.city", "Rome"}}) == "3");
  BOOST_TEST(where({{"guests", 4}}) == "2 1");
  BOOST_TEST(where({{"urgent", true}}) == "3");
  BOOST_TEST(where({{"urgent", "true"}}) == "");
  BOOST_TEST(where({{"place", "Rome"}}) == "");
  BOOST_TEST(where({{"nowhere", 1}}) == "");
}

BOOST_FIXTURE_TEST_CASE(of_one_turn, three_notes) {
  BOOST_TEST(found({.turn_id = "turn_2"}) == "3 2");
  BOOST_TEST(found({.turn_id = "turn_3"}) == "");
  BOOST_TEST(found({.turn_id = ""}) == "");
}

BOOST_FIXTURE_TEST_CASE(created_between_two_times_both_exclusive, three_notes) {
  BOOST_TEST(found({.created_after = began}) == "3 2");
  BOOST_TEST(found({.created_after = began + minutes{2}}) == "");
  BOOST_TEST(found({.created_before = began + minutes{2}}) == "2 1");
  BOOST_TEST(found({.created_before = began}) == "");
  BOOST_TEST(found({.created_after = began, .created_before = began + minutes{2}}) == "2");
}

BOOST_FIXTURE_TEST_CASE(members_are_anded, three_notes) {
  BOOST_TEST(found({.tags = {"wine"}, .min_confidence = 0.5}) == "2");
  BOOST_TEST(found({.type = {"alert"}, .tags = {"wine"}}) == "");
  BOOST_TEST(found({.type = {"alert", "observation"},
               .source = {"ann", "planner"},
               .context = {{"goal_id", "dinner"}},
               .turn_id = "turn_2"})
             == "3");
}

} // namespace scratchpage::test
