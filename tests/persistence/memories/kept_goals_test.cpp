#include <chrono>
#include <string>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/memories/stored_goals.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"
#include "scratchpage/tests/persistence/memories/one_agent.hpp"

/// Goals in a store, opened again.

namespace scratchpage::test {

namespace {

goal trip(std::string id) {
  goal result;
  result.goal_id = std::move(id);
  result.goal_type = "trip";
  return result;
}

/// The ids of the goals in the store, in the order in which they were made.
std::string ids_in_order(stored_goals& of) {
  std::string result;
  for (const auto& x : of.take_goals())
    result += x.goal_id + " ";
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(kept_goals)

BOOST_FIXTURE_TEST_CASE(the_last_revision_of_a_goal_is_kept, one_agent) {
  auto goals = *stored_goals::open(in, owner);
  auto x = trip("goal_1");
  BOOST_REQUIRE(!goals->put(x));
  x.progress = 0.5;
  BOOST_REQUIRE(!goals->put(x));
  auto found = read_all<goal>(*in, owner.agent, collection::goals);
  BOOST_REQUIRE(found);
  BOOST_REQUIRE(found->size() == 1u);
  BOOST_TEST(to_json_text(found->front()) == to_json_text(x));
}

BOOST_FIXTURE_TEST_CASE(goals_are_read_in_the_order_in_which_they_were_made, one_agent) {
  auto goals = *stored_goals::open(in, owner);
  goal x;
  x.goal_type = "trip";
  for (auto id : {"goal_9", "zoo", "goal_10", "art"}) { // all in one millisecond
    x.goal_id = id;
    BOOST_REQUIRE(!goals->put(x));
  }
  x.goal_id = "goal_9";
  x.status = goal_status::completed;
  BOOST_REQUIRE(!goals->put(x)); // keeps its place
  goals = *stored_goals::open(in, owner);
  BOOST_TEST(ids_in_order(*goals) == "goal_9 zoo goal_10 art ");
  x.goal_id = "bar";
  BOOST_REQUIRE(!goals->put(x));
  BOOST_TEST(ids_in_order(**stored_goals::open(in, owner)) == "goal_9 zoo goal_10 art bar ");
}

BOOST_FIXTURE_TEST_CASE(
  goals_of_an_older_version_come_first_in_the_order_of_their_times, one_agent) {
  goal x;
  x.goal_type = "trip";
  for (auto seconds : {2, 1}) {
    x.goal_id = "goal_" + std::to_string(12 - seconds); // "goal_10" comes before "goal_9" as a text
    x.created_at = timestamp{std::chrono::seconds{5}};
    auto row = to_document(collection::goals, x.goal_id, x);
    BOOST_REQUIRE(!in->put(owner, {&row, 1}));
  }
  x.goal_id = "goal_9";
  x.created_at = timestamp{std::chrono::seconds{9}};
  auto late = to_document(collection::goals, x.goal_id, x);
  BOOST_REQUIRE(!in->put(owner, {&late, 1}));
  auto goals = *stored_goals::open(in, owner);
  x.goal_id = "goal_1";
  BOOST_REQUIRE(!goals->put(x));
  BOOST_TEST(ids_in_order(**stored_goals::open(in, owner)) == "goal_10 goal_11 goal_9 goal_1 ");
}

BOOST_FIXTURE_TEST_CASE(a_dropped_goal_does_not_come_back, one_agent) {
  auto goals = *stored_goals::open(in, owner);
  for (auto id : {"goal_7", "goal_8"})
    BOOST_REQUIRE(!goals->put(trip(id)));
  goals->drop("goal_8");
  goals->drop("unknown");
  BOOST_TEST(goals->last_dropped() == 8u);
  BOOST_REQUIRE(!goals->put(trip("goal_9")));
  goals = *stored_goals::open(in, owner);
  BOOST_TEST(ids_in_order(*goals) == "goal_7 goal_9 ");
  BOOST_TEST(goals->last_dropped() == 8u);
  BOOST_REQUIRE(!goals->put(trip("goal_8"))); // chosen by somebody
  BOOST_TEST(ids_in_order(**stored_goals::open(in, owner)) == "goal_7 goal_9 goal_8 ");
}

BOOST_FIXTURE_TEST_CASE(what_was_dropped_can_be_written_at_once, one_agent) {
  auto goals = *stored_goals::open(in, owner);
  BOOST_REQUIRE(!goals->put(trip("goal_1")));
  goals->drop("goal_1");
  BOOST_TEST(!goals->flush());
  BOOST_TEST(ids_in_order(**stored_goals::open(in, owner)) == "");
}

BOOST_FIXTURE_TEST_CASE(a_store_that_refused_a_goal_is_in_doubt, one_agent) {
  auto goals = *stored_goals::open(in, owner);
  BOOST_REQUIRE(!goals->put(trip("goal_1")));
  goals->drop("goal_1");
  lose_it();
  BOOST_TEST(static_cast<bool>(goals->put(trip("goal_2"))));
  BOOST_TEST(goals->is_in_doubt());
}

BOOST_FIXTURE_TEST_CASE(a_damaged_document_is_named, one_agent) {
  document broken{"goals", "goal_7", "{}", 1};
  BOOST_REQUIRE(!in->put(owner, {&broken, 1}));
  auto found = read_all<goal>(*in, owner.agent, collection::goals);
  BOOST_REQUIRE(!found);
  BOOST_TEST(field_of(found.error()) == "goals/goal_7");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
