#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/tools/tool_team.hpp"

namespace scratchpage::test {

namespace {

using boost::unit_test::label;
using namespace std::chrono_literals;

const std::string prefers_burgundy = R"([{"type": "contextual_insight",
  "content": "User prefers Burgundy", "confidence": 0.8, "tags": ["wine"], "ttl_minutes": 1440}])";

const std::string three_insights = R"([
  {"type": "contextual_insight", "content": "User prefers Burgundy", "tags": ["wine"]},
  {"type": "contextual_insight", "content": "API response time: 234ms", "tags": ["api"]},
  {"type": "contextual_insight", "content": "User budget: $50", "tags": ["budget"]}])";

/// A team in which `wine_search` reports observations, and `sommelier` gets observations from the
/// page with its calls.
struct across_turns : tool_team {
  void begin(std::string observations) {
    add_reporter("wine_search", {std::move(observations)});
    add_function("sommelier");
    start();
  }

  turn_result search() { return use("wine_search"); }

  turn_result ask_sommelier() { return say("Which one?", {asking("sommelier", {"wine"})}); }

  /// The observations that the sommelier got with its last call.
  const std::vector<scratch_page_entry>& told() const {
    BOOST_REQUIRE(!asked.empty());
    return asked.back().scratch_page_context;
  }

  /// How many observations each query for the sommelier returned in the turn.
  std::vector<double> returned_in(const turn_result& turn) const {
    std::vector<double> result;
    for (const auto& x : entries("query_observations"))
      if (x.turn_id == turn.turn_id && x.source == "sommelier")
        result.push_back(number_at(x.detail, "returned").value_or(-1));
    return result;
  }
};

} // namespace

// -- scenario 5: across turns ---------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  what_a_tool_noticed_is_there_in_its_turn_and_in_the_next, across_turns, *label("TS_5")) {
  begin(prefers_burgundy);
  auto searching = call("wine_search", {}, "search");
  auto first = say("Wine?", {searching, asking("sommelier", {"wine"}, {"search"})});
  auto x = noticed_once_by("wine_search");
  BOOST_REQUIRE(told().size() == 1u);
  BOOST_TEST(told().front().id == x->observation_id);

  advance(12h);
  auto second = ask_sommelier();
  BOOST_TEST(second.turn_id != first.turn_id);
  BOOST_REQUIRE(told().size() == 1u);
  BOOST_TEST(told().front().id == x->observation_id);
  BOOST_TEST(told().front().content == "User prefers Burgundy");

  auto later = noticed_once_by("wine_search");
  BOOST_TEST(to_rfc3339(later->expires_at) == to_rfc3339(x->created_at + 24h));
  BOOST_TEST((later->expires_at - now() <= 12h));
  advance_to(x->created_at + 24h);
  BOOST_TEST(noticed_by("wine_search").empty());
  BOOST_TEST(entry_about(x, "expire").turn_id == "");

  BOOST_TEST(entry_about(x).turn_id == first.turn_id);
  BOOST_TEST(returned_in(first) == std::vector<double>{1}, boost::test_tools::per_element());
  BOOST_TEST(returned_in(second) == std::vector<double>{1}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(
  what_expires_between_two_turns_is_not_there_in_the_second, across_turns, *label("TS_5_e1")) {
  begin(R"([{"type": "observation", "content": "Open today", "tags": ["wine"],
    "ttl_minutes": 10}])");
  search();
  auto x = noticed_once_by("wine_search");
  advance_to(x->expires_at);
  auto second = ask_sommelier();
  BOOST_TEST(told().empty());
  BOOST_TEST(returned_in(second) == std::vector<double>{0}, boost::test_tools::per_element());
  BOOST_TEST(entries_about(x, "expire").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  several_observations_persist_each_with_its_own_time, across_turns, *label("TS_5_e2")) {
  begin(R"([
    {"type": "observation", "content": "Red", "tags": ["wine"], "ttl_minutes": 1440},
    {"type": "observation", "content": "Dry", "tags": ["wine"], "ttl_minutes": 60},
    {"type": "observation", "content": "French", "tags": ["wine"], "ttl_minutes": 2880}])");
  search();
  auto stored = ids_of(noticed_by("wine_search"));
  BOOST_REQUIRE(stored.size() == 3u);

  ask_sommelier();
  texts seen;
  for (const auto& x : told())
    seen.push_back(x.id);
  BOOST_TEST(seen == (texts{stored[2], stored[1], stored[0]}), boost::test_tools::per_element());

  advance(61min);
  ask_sommelier();
  BOOST_REQUIRE(told().size() == 2u);
  BOOST_TEST(told()[0].content == "French");
  BOOST_TEST(told()[1].content == "Red");
}

BOOST_FIXTURE_TEST_CASE(
  what_changes_between_two_turns_is_seen_in_its_new_form, across_turns, *label("TS_5_e3")) {
  begin(prefers_burgundy);
  search();
  auto before = noticed_once_by("wine_search");
  advance(1h);
  update_observation request{.by = as_tool("wine_search"),
    .observation_id = before->observation_id,
    .changes = {},
    .expected_revision = {}};
  request.changes.content = "User prefers Bordeaux";
  value(ask(host->page(), request));

  ask_sommelier();
  BOOST_REQUIRE(told().size() == 1u);
  BOOST_TEST(told().front().id == before->observation_id);
  BOOST_TEST(told().front().content == "User prefers Bordeaux");
  auto after = noticed_once_by("wine_search");
  BOOST_TEST(after->revision == before->revision + 1);
  BOOST_TEST(to_rfc3339(after->updated_at) == to_rfc3339(before->created_at + 1h));
  BOOST_TEST(to_rfc3339(after->expires_at) == to_rfc3339(before->expires_at));
  BOOST_TEST(text_at(entry_about(before, "update_observation").detail, "observation.content")
             == "User prefers Bordeaux");
}

// -- scenario 6: many observations from one tool --------------------------------------

BOOST_FIXTURE_TEST_CASE(all_observations_of_one_answer_are_stored, across_turns, *label("TS_6")) {
  begin(three_insights);
  auto turn = search();
  auto stored = noticed_by("wine_search");
  BOOST_TEST(contents_of(stored)
               == (texts{"User prefers Burgundy", "API response time: 234ms", "User budget: $50"}),
    boost::test_tools::per_element());
  BOOST_TEST(are_unique(ids_of(stored)));
  for (const auto& x : stored) {
    BOOST_TEST(bool{get(x->observation_id)});
    BOOST_TEST(ids_of(tagged(x->tags).observations) == (texts{x->observation_id}),
      boost::test_tools::per_element());
    BOOST_TEST(entry_about(x).turn_id == turn.turn_id);
    auto of_turn = ids_of(turn.observations);
    BOOST_TEST(std::count(of_turn.begin(), of_turn.end(), x->observation_id) == 1);
  }
}

BOOST_FIXTURE_TEST_CASE(an_answer_without_observations_adds_none, across_turns, *label("TS_6_e1")) {
  begin("[]");
  auto turn = search();
  BOOST_TEST(noticed_by("wine_search").empty());
  BOOST_TEST(of_type("tool_result").size() == 1u);
  BOOST_TEST(traced("store_report") == 0u);
  BOOST_TEST(to_string(turn.status) == "complete");
}

BOOST_FIXTURE_TEST_CASE(
  an_answer_with_more_than_100_observations_loses_none, across_turns, *label("TS_6_e2")) {
  constexpr int count = 150;
  json::array many;
  texts expected;
  for (int i = 0; i < count; ++i) {
    expected.push_back("Bottle number " + std::to_string(i));
    many.push_back({{"type", "observation"}, {"content", expected.back()}, {"tags", {"bottle"}}});
  }
  begin(to_text(json::value(many)));
  auto turn = search();
  auto stored = noticed_by("wine_search");
  BOOST_TEST(contents_of(stored) == expected, boost::test_tools::per_element());
  BOOST_TEST(are_unique(ids_of(stored)));
  BOOST_TEST(tagged({"bottle"}).total_count == uint64_t{count});
  for (const auto& x : stored)
    BOOST_TEST(entries_about(x).size() == 1u);
  BOOST_TEST(to_string(turn.status) == "complete");
}

BOOST_FIXTURE_TEST_CASE(
  duplicates_are_two_observations_and_no_contradiction, across_turns, *label("TS_6_e3")) {
  auto twice = R"({"type": "observation", "content": "User prefers Burgundy", "tags": ["wine"],
    "context": {"goal_id": "find_wine"}})";
  begin(std::string{"["} + twice + ", " + twice + "]");
  search();
  auto found = tagged({"wine"});
  BOOST_REQUIRE(found.total_count == 2u);
  BOOST_TEST(are_unique(ids_of(found.observations)));
  BOOST_TEST(found.observations[0]->content == found.observations[1]->content);
  BOOST_TEST(found.conflicts.empty());
  BOOST_TEST(traced("conflict") == 0u);
}

} // namespace scratchpage::test
