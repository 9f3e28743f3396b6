#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/tools/tool_team.hpp"

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

const std::string tastes = R"([
  {"type": "observation", "content": "User prefers red", "tags": ["wine", "preference"]},
  {"type": "observation", "content": "User spends 50 dollars", "tags": ["wine", "budget"]},
  {"type": "observation", "content": "User goes to Paris", "tags": ["travel", "destination"]}])";

const std::string in_context = R"([
  {"type": "observation", "content": "For Ann's wine",
   "context": {"goal_id": "find_wine", "user_id": "user_123"}},
  {"type": "observation", "content": "For Bob's wine",
   "context": {"goal_id": "find_wine", "user_id": "user_456"}},
  {"type": "observation", "content": "For Ann's trip",
   "context": {"goal_id": "book_trip", "user_id": "user_123"}}])";

struct filtering : tool_team {
  void report(std::string observations) {
    add_reporter("wine_search", {std::move(observations)});
    start();
    use("wine_search");
  }

  query_result where(std::map<std::string, json::value> context) {
    observation_filter filter;
    filter.type = {"observation"};
    filter.context = std::move(context);
    return query(std::move(filter));
  }
};

} // namespace

// -- scenario 4: tags -----------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_query_by_tag_gives_what_has_it_and_nothing_else, filtering, *label("TS_4")) {
  report(tastes);
  auto stored = noticed_by("wine_search");
  BOOST_REQUIRE(stored.size() == 3u);
  BOOST_TEST(stored[2]->tags == (texts{"travel", "destination"}), boost::test_tools::per_element());

  auto found = tagged({"wine"});
  BOOST_TEST(found.total_count == 2u);
  BOOST_TEST(
    ids_of(found.observations) == (texts{stored[1]->observation_id, stored[0]->observation_id}),
    boost::test_tools::per_element());
  for (const auto& x : found.observations)
    BOOST_TEST(std::count(x->tags.begin(), x->tags.end(), "wine") == 1);
  BOOST_TEST(tagged({"travel"}).total_count == 1u);
  BOOST_TEST(tagged({"Wine"}).total_count == 0u);
  BOOST_TEST(tagged({"win"}).total_count == 0u);
  BOOST_TEST(found.query_time_ms < 50);
}

BOOST_FIXTURE_TEST_CASE(the_trace_tells_of_a_query_and_what_it_found, filtering, *label("TS_4")) {
  report(tastes);
  trace->take();
  tagged({"wine"});
  auto logged = entries("query_observations", "success");
  BOOST_REQUIRE(logged.size() == 1u);
  const auto& x = logged.front();
  BOOST_TEST(x.component == "scratch_page");
  BOOST_TEST(x.source == "probe");
  BOOST_TEST(number_at(x.detail, "returned").value_or(0) == 2);
  BOOST_TEST(number_at(x.detail, "total_count").value_or(0) == 2);
  BOOST_TEST(to_text(*at_path(x.detail, "filter.tags")).find("wine") != std::string::npos);
  BOOST_TEST(x.duration_ms < 50);
}

BOOST_FIXTURE_TEST_CASE(several_tags_must_all_be_there, filtering, *label("TS_4_e1")) {
  report(tastes);
  auto both = tagged({"budget", "wine"});
  BOOST_TEST(contents_of(both.observations) == (texts{"User spends 50 dollars"}),
    boost::test_tools::per_element());
  BOOST_TEST(tagged({"wine", "travel"}).total_count == 0u);
}

BOOST_FIXTURE_TEST_CASE(
  a_tag_that_nothing_has_gives_an_empty_answer, filtering, *label("TS_4_e2")) {
  report(tastes);
  auto none = tagged({"beer"});
  BOOST_TEST(none.observations.empty());
  BOOST_TEST(none.total_count == 0u);
  BOOST_TEST(none.next_cursor == "");
  BOOST_TEST(!none.partial);
}

BOOST_FIXTURE_TEST_CASE(
  what_has_no_tags_is_found_by_everything_but_tags, filtering, *label("TS_4_e3")) {
  report(R"([{"type": "observation", "content": "The cellar is cold"},
    {"type": "observation", "content": "The cellar is full", "tags": ["wine"]}])");
  BOOST_TEST(contents_of(tagged({"wine"}).observations) == (texts{"The cellar is full"}),
    boost::test_tools::per_element());
  // An empty list of tags matches every observation.
  BOOST_TEST(
    contents_of(where({}).observations) == (texts{"The cellar is full", "The cellar is cold"}),
    boost::test_tools::per_element());
}

// -- scenario 7: context --------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_context_is_stored_traced_and_queryable, filtering, *label("TS_7")) {
  report(in_context);
  auto stored = noticed_by("wine_search");
  BOOST_REQUIRE(stored.size() == 3u);
  const auto& x = *stored.front();
  BOOST_TEST(x.context.size() == 2u);
  BOOST_TEST(text_at(x.context, "goal_id") == "find_wine");
  BOOST_TEST(text_at(x.context, "user_id") == "user_123");

  BOOST_TEST(contents_of(where({{"goal_id", "find_wine"}}).observations)
               == (texts{"For Bob's wine", "For Ann's wine"}),
    boost::test_tools::per_element());
  BOOST_TEST(contents_of(where({{"user_id", "user_123"}}).observations)
               == (texts{"For Ann's trip", "For Ann's wine"}),
    boost::test_tools::per_element());
  BOOST_TEST(contents_of(where({{"goal_id", "find_wine"}, {"user_id", "user_123"}}).observations)
               == (texts{"For Ann's wine"}),
    boost::test_tools::per_element());

  auto added = entry_about(stored.front());
  BOOST_TEST(text_at(added.detail, "observation.context.goal_id") == "find_wine");
  BOOST_TEST(text_at(added.detail, "observation.context.user_id") == "user_123");
}

BOOST_FIXTURE_TEST_CASE(
  an_observation_without_a_context_has_an_empty_one, filtering, *label("TS_7_e1")) {
  report(R"([{"type": "observation", "content": "About nothing"},
    {"type": "observation", "content": "About nobody", "context": null}])");
  auto stored = noticed_by("wine_search");
  BOOST_REQUIRE(stored.size() == 2u);
  BOOST_TEST(stored[0]->context.empty());
  BOOST_TEST(stored[1]->context.empty());
  BOOST_TEST(where({}).total_count == 2u);
  BOOST_TEST(where({{"goal_id", "find_wine"}}).total_count == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_nested_context_is_queryable_by_its_path, filtering, *label("TS_7_e2")) {
  report(R"([
    {"type": "observation", "content": "To Paris",
     "context": {"trip": {"to": {"city": "Paris", "nights": 3, "booked": false}}}},
    {"type": "observation", "content": "To Rome",
     "context": {"trip": {"to": {"city": "Rome", "nights": 3, "booked": true}}}},
    {"type": "observation", "content": "8 deep",
     "context": {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": 1}}}}}}}}},
    {"type": "observation", "content": "9 deep",
     "context": {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": 1}}}}}}}}}}])");
  auto paris = where({{"trip.to.city", "Paris"}}).observations;
  BOOST_REQUIRE(paris.size() == 1u);
  BOOST_TEST(to_text(json::value(paris.front()->context))
             == to_text(json::value(
               object(R"({"trip": {"to": {"city": "Paris", "nights": 3, "booked": false}}})"))));
  BOOST_TEST(contents_of(where({{"trip.to.booked", true}}).observations) == (texts{"To Rome"}),
    boost::test_tools::per_element());
  BOOST_TEST(where({{"trip.to.nights", 3}}).total_count == 2u);
  BOOST_TEST(where({{"city", "Paris"}}).total_count == 0u);
  BOOST_TEST(where({{"a.b.c.d.e.f.g.h", 1}}).total_count == 1u);
  BOOST_TEST(refused("add_observation", errc::invalid_observation, "context.a") == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_context_may_lack_any_field, filtering, *label("TS_7_e3")) {
  report(R"([
    {"type": "observation", "content": "Only a goal", "context": {"goal_id": "find_wine"}},
    {"type": "observation", "content": "Only a user", "context": {"user_id": "user_123"}}])");
  BOOST_TEST(contents_of(where({{"goal_id", "find_wine"}}).observations) == (texts{"Only a goal"}),
    boost::test_tools::per_element());
  BOOST_TEST(contents_of(where({{"user_id", "user_123"}}).observations) == (texts{"Only a user"}),
    boost::test_tools::per_element());
  BOOST_TEST(where({{"goal_id", "find_wine"}, {"user_id", "user_123"}}).total_count == 0u);
}

} // namespace scratchpage::test
