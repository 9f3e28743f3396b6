#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// "Contradictions are never hidden" (contract 3).

namespace scratchpage::test {

namespace {

struct claims : page_fixture {
  claims() { start(); }

  observation_ptr about_key(std::string key, std::string content, std::string type = "learning") {
    auto x = draft(std::move(type), std::move(content));
    x.metadata["key"] = std::move(key);
    return add(std::move(x));
  }

  observation_ptr about_goal(
    std::string goal_id, std::vector<std::string> tags, std::string content) {
    auto x = draft("learning", std::move(content), std::move(tags));
    x.context["goal_id"] = std::move(goal_id);
    return add(std::move(x));
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(both_sides_are_returned_and_listed_and_traced, claims) {
  about_key("price", "It costs 10");
  about_key("price", "It costs 20");
  auto found = query(asking());
  BOOST_TEST(numbers(found) == "2 1");
  BOOST_REQUIRE(found.conflicts.size() == 1u);
  const std::vector<std::string> sides{id(1), id(2)};
  BOOST_TEST(found.conflicts.front().observation_ids == sides, boost::test_tools::per_element());
  BOOST_TEST(contains(found.conflicts.front().subject, "price"));
  auto entries = traced("conflict", "conflict");
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(to_text(entries.front().detail.at("observation_ids")) == to_text(to_json(sides)));
  BOOST_TEST(entries.front().source == "reader");
}

BOOST_FIXTURE_TEST_CASE(the_other_side_is_named_though_the_answer_had_no_room_for_it, claims) {
  about_key("price", "It costs 10");
  about_key("price", "It costs 20");
  auto found = query(asking({}, "", 1));
  BOOST_TEST(numbers(found) == "2");
  BOOST_REQUIRE(found.conflicts.size() == 1u);
  BOOST_TEST(found.conflicts.front().observation_ids.size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(tags_and_goal_make_a_subject_in_any_order, claims) {
  about_goal("dinner", {"wine", "red"}, "Burgundy");
  about_goal("dinner", {"red", "wine"}, "Bordeaux");
  auto found = query(asking());
  BOOST_REQUIRE(found.conflicts.size() == 1u);
  BOOST_TEST(found.conflicts.front().observation_ids.size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(what_differs_in_type_or_subject_or_says_the_same_agrees, claims) {
  about_key("price", "It costs 10");
  about_key("price", "It costs 20", "observation");
  about_key("weight", "It weighs 20");
  about_key("price", "It  costs 10");
  about_goal("dinner", {"wine"}, "Burgundy");
  about_goal("lunch", {"wine"}, "Bordeaux");
  about_goal("dinner", {"beer"}, "Stout");
  about_goal("dinner", {}, "Water");
  about_goal("dinner", {}, "Juice");
  BOOST_TEST(query(asking()).conflicts.empty());
  BOOST_TEST(traced("conflict").empty());
}

BOOST_FIXTURE_TEST_CASE(three_sides_are_one_contradiction, claims) {
  for (auto* price : {"It costs 10", "It costs 20", "It costs 30"})
    about_key("price", price);
  auto found = query(asking({}, "costs"));
  BOOST_REQUIRE(found.conflicts.size() == 1u);
  BOOST_TEST(found.conflicts.front().observation_ids.size() == 3u);
}

BOOST_FIXTURE_TEST_CASE(a_side_that_is_no_longer_live_contradicts_nothing, claims) {
  about_key("price", "It costs 10");
  about_key("price", "It costs 20");
  set_status(id(1), status::resolved);
  BOOST_TEST(query(asking(anything())).conflicts.empty());
}

BOOST_FIXTURE_TEST_CASE(a_side_that_gives_in_ends_it, claims) {
  about_key("price", "It costs 10");
  about_key("price", "It costs 20");
  update(id(1), {.content = "It costs 20"});
  BOOST_TEST(query(asking()).conflicts.empty());
}

} // namespace scratchpage::test
