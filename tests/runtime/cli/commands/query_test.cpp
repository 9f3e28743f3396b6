#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// `scratchpage query`, `get` and `archive`.

namespace scratchpage::test {

namespace {

/// Four different observations.
struct some_observations : shell {
  some_observations() {
    add(
      "alert", "Smoke in the server room", {"--tag", "fire", "--tag", "urgent", "--owner", "user"});
    add("reminder", "Pack for the trip",
      {"--context", R"({"goal_id": "trip", "task_id": 7})", "--confidence", "0.9"});
    add("alert", "Water in the cellar", {"--tag", "urgent", "--source-tool", "sensor"});
    add("observation", "The room is booked", {"--context", R"({"goal_id": "42"})"});
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(querying, some_observations)

BOOST_AUTO_TEST_CASE(filters_find_what_they_say) {
  BOOST_TEST(numbers({}) == "4 3 2 1");
  BOOST_TEST(numbers({"--type", "alert"}) == "3 1");
  BOOST_TEST(numbers({"--type", "alert", "--type", "reminder"}) == "3 2 1");
  BOOST_TEST(numbers({"--tag", "urgent"}) == "3 1");
  BOOST_TEST(numbers({"--tag", "urgent", "--tag", "fire"}) == "1");
  BOOST_TEST(numbers({"--source", "sensor"}) == "3");
  BOOST_TEST(numbers({"--owner", "user"}) == "1");
  BOOST_TEST(numbers({"--min-confidence", "0.9"}) == "2");
  BOOST_TEST(numbers({"--status", "resolved"}) == "");
  BOOST_TEST(numbers({"--turn", "turn_1"}) == "");
  BOOST_TEST(numbers({"--after", "2020-01-01"}) == "4 3 2 1");
  BOOST_TEST(numbers({"--before", "2020-01-01T00:00:00Z"}) == "");
}

BOOST_AUTO_TEST_CASE(a_place_in_the_context_is_json_or_a_bare_text) {
  BOOST_TEST(numbers({"--where", "goal_id=trip"}) == "2");
  BOOST_TEST(numbers({"--where", R"(goal_id="trip")", "--where", "task_id=7"}) == "2");
  BOOST_TEST(numbers({"--where", "goal_id=42"}) == ""); // the stored number is no text
  BOOST_TEST(numbers({"--where", R"(goal_id="42")"}) == "4");
}

BOOST_AUTO_TEST_CASE(a_text_selects_alone_and_ranks_beside_a_filter) {
  BOOST_TEST(numbers({"cellar"}) == "3");
  BOOST_TEST(numbers({"smoke", "--type", "alert"}) == "1 3");
}

BOOST_AUTO_TEST_CASE(a_cursor_goes_on_in_the_next_process) {
  BOOST_TEST(numbers({"--limit", "3"}) == "4 3 2");
  auto cursor = std::string{answer().at("next_cursor").as_string()};
  BOOST_TEST(answer().at("total_count").as_int64() == 4);
  add("observation", "Newer than the answer");
  BOOST_TEST(numbers({"--limit", "3", "--cursor", cursor}) == "1");
  BOOST_TEST(!answer().contains("next_cursor"));
}

BOOST_AUTO_TEST_CASE(what_is_ranked_gives_no_cursor_that_nobody_knows_later) {
  BOOST_TEST(numbers({"room", "--limit", "1"}).size() == 1u);
  BOOST_TEST(!answer().contains("next_cursor"));
  BOOST_TEST(run({"query", "room", "--limit", "1"}) == 0);
  BOOST_TEST(contains(out, "1 of 2 observations; --limit shows more"), out);
  BOOST_TEST(run({"query", "room", "--cursor", "3"}) == 2);
  BOOST_TEST(contains(err, "--cursor: expected none with a text"), err);
}

BOOST_AUTO_TEST_CASE(the_answer_in_json_has_the_fields_of_the_contract) {
  BOOST_TEST(run({"query", "--limit", "2", "--json"}) == 0);
  for (auto name : {"observations", "total_count", "query_time_ms", "next_cursor", "partial"})
    BOOST_TEST(answer().contains(name), name);
  BOOST_TEST(!!from_json<query_result>(answer()));
}

BOOST_AUTO_TEST_CASE(people_see_a_line_each_and_how_many_there_are) {
  BOOST_TEST(run({"query", "--limit", "3"}) == 0);
  BOOST_TEST(err == "");
  BOOST_TEST(out.starts_with("ID  "));
  BOOST_TEST(contains(out, "Water in the cellar\n"), out);
  BOOST_TEST(contains(out, "3 of 4 observations; --cursor "), out);
  BOOST_TEST(run({"query", "nothing of the kind"}) == 0);
  BOOST_TEST(out == "no observations; `scratchpage archive` lists those that have left the page\n");
}

BOOST_AUTO_TEST_CASE(those_that_disagree_are_told) {
  add("alert", "The meeting is at nine", {"--metadata", R"({"key": "meeting"})"});
  add("alert", "The meeting is at ten", {"--metadata", R"({"key": "meeting"})"});
  BOOST_TEST(run({"query", "--type", "alert"}) == 0);
  BOOST_TEST(contains(out, "observations disagree about"), out);
  BOOST_TEST(run({"query", "--json"}) == 0);
  BOOST_TEST(answer().at("conflicts").as_array().size() == 1u);
}

BOOST_AUTO_TEST_CASE(one_observation_is_shown_whole) {
  auto id = add("tool_result", "first\nsecond", {"--metadata", R"({"tool_id": "make"})"});
  BOOST_TEST(run({"get", id}) == 0);
  BOOST_TEST(out.starts_with(id + "  tool_result  active\n\n  first\n  second\n\n"), out);
  BOOST_TEST(contains(out, R"({"tool_id":"make"})"), out);
  BOOST_TEST(run({"get", id, "--json"}) == 0);
  BOOST_TEST(answer().at("content").as_string().c_str() == "first\nsecond");
}

BOOST_AUTO_TEST_CASE(one_that_is_not_there_ends_with_1_and_a_sentence) {
  BOOST_TEST(run({"get", "obs_20200101_099"}) == 1);
  BOOST_TEST(out == "");
  BOOST_TEST(
    contains(err, "scratchpage: there is no observation 'obs_20200101_099' on the page of agent"),
    err);
  BOOST_TEST(run({"get", "obs_20200101_099", "--json"}) == 1);
  BOOST_TEST(out == "null\n");
}

BOOST_AUTO_TEST_CASE(the_archive_has_the_same_filters_and_its_cursors_go_on) {
  for (auto content : {"a", "b", "c"})
    add("alert", content, {"--ttl-minutes", "0", "--tag", content});
  BOOST_TEST(run({"archive", "--limit", "2", "--json"}) == 0);
  BOOST_TEST(answer().at("total_count").as_int64() == 3);
  auto cursor = std::string{answer().at("next_cursor").as_string()};
  BOOST_TEST(run({"archive", "--cursor", cursor, "--json"}) == 0);
  BOOST_TEST(answer().at("observations").as_array().size() == 1u);
  BOOST_TEST(run({"archive", "--tag", "b", "--status", "expired"}) == 0);
  BOOST_TEST(contains(out, "STATUS"), out);
  BOOST_TEST(contains(out, "1 observation\n"), out);
  BOOST_TEST(run({"archive", "--type", "reminder"}) == 0);
  BOOST_TEST(out == "no observations; `scratchpage query` lists those on the page\n");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
