#include <set>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/runtime/api/asked_team.hpp"

/// Facts, episodes and searches by the names of operations.

namespace scratchpage::test {

namespace {

struct remembering_team : asked_team {
  remembering_team() { begin(); }

  std::string text(const json::value& x, std::string_view member) {
    return std::string{x.at(json::string_view{member.data(), member.size()}).as_string()};
  }

  std::string know(std::string_view statement) {
    return text(call("add_fact", R"({"statement": ")" + std::string{statement} + "\"}"), "fact_id");
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(memory_from_outside, remembering_team)

BOOST_AUTO_TEST_CASE(facts_are_added_found_corrected_and_ended) {
  auto id = know("Ann is allergic to peanuts");
  know("Ann lives in Berlin");
  auto found = call("query_facts", R"({"query": "peanuts"})");
  BOOST_TEST(total(found) == 1u);
  const auto& known = found.at("facts").at(0);
  BOOST_TEST(text(known, "statement") == "Ann is allergic to peanuts");
  BOOST_TEST(known.at("sources").at(0).as_string() == "user ann");
  BOOST_TEST(!text(known, "valid_from").empty());
  BOOST_TEST(!known.as_object().contains("valid_until"));
  auto about = R"({"fact_id": ")" + id + "\"";
  call("update_fact", about + R"(, "statement": "Ann is allergic to hazelnuts"})");
  BOOST_TEST(total(call("query_facts", R"({"query": "peanuts"})")) == 0u);
  auto ended = call("update_fact", about + R"(, "ended": true})");
  BOOST_TEST(ended.as_object().contains("valid_until"));
  BOOST_TEST(total(call("query_facts")) == 2u);
}

BOOST_AUTO_TEST_CASE(a_wrong_request_about_facts_is_refused_by_its_member) {
  BOOST_TEST(refusal("query_facts", R"({"limit": 0})") == "invalid_request limit");
  BOOST_TEST(refusal("query_facts", R"({"cursor": "x"})") == "invalid_request cursor");
  BOOST_TEST(
    refusal("query_facts", R"({"min_confidence": 2})") == "invalid_request min_confidence");
  BOOST_TEST(refusal("add_fact", R"({"statement": " "})") == "invalid_request statement");
  BOOST_TEST(refusal("update_fact", R"({"fact_id": "fact_9"})") == "not_found fact_id");
}

BOOST_AUTO_TEST_CASE(episodes_are_found_by_turn_and_by_words) {
  auto turn = text(call("begin_turn", R"({"input": "Find a flight to Paris"})"), "turn_id");
  call("begin_turn", R"({"input": "What is the weather like?"})");
  auto found = call("query_episodes", R"({"query": "paris flight"})").at("episodes");
  BOOST_REQUIRE(found.as_array().size() == 1u);
  BOOST_TEST(text(found.at(0), "turn_id") == turn);
  auto first = call("query_episodes", R"({"limit": 1})");
  BOOST_TEST(first.at("episodes").as_array().size() == 1u);
  auto rest =
    call("query_episodes", R"({"cursor": ")" + text(first, "next_cursor") + "\"}").at("episodes");
  BOOST_REQUIRE(rest.as_array().size() == 1u);
  BOOST_TEST(text(rest.at(0), "turn_id") == turn);
  BOOST_TEST(refusal("query_episodes", R"({"cursor": "x"})") == "invalid_request cursor");
}

BOOST_AUTO_TEST_CASE(one_search_looks_through_all_memories) {
  know("Smoke in the server room comes from the old fan");
  add(R"({"type": "alert", "content": "Smoke in the server room"})");
  auto gone = add(R"({"type": "observation", "content": "Smoke in the kitchen"})");
  call("archive_observation", R"({"observation_id": ")" + gone + "\"}");
  call("begin_turn", R"({"input": "Where does the smoke come from?", "thread_id": "t"})");
  auto found = call("search_memory", R"({"query": "smoke server", "limit": 20})");
  std::set<std::string> where;
  for (const auto& x : found.at("hits").as_array())
    where.insert(text(x, "in"));
  BOOST_TEST(where.contains("facts"));
  BOOST_TEST(where.contains("page"));
  BOOST_TEST(where.contains("archive"));
  auto facts = call("search_memory", R"({"query": "smoke", "in": ["facts"]})").at("hits");
  BOOST_REQUIRE(facts.as_array().size() == 1u);
  BOOST_TEST(text(facts.at(0), "fact_id") == "fact_1");
  BOOST_TEST(refusal("search_memory", R"({"query": "  "})") == "invalid_request query");
  BOOST_TEST(refusal("search_memory", R"({"query": "x", "limit": 0})") == "invalid_request limit");
  BOOST_TEST(
    refusal("search_memory", R"({"query": "x", "in": ["moon"]})").starts_with("invalid_request"));
}

BOOST_AUTO_TEST_CASE(the_owner_forgets_a_fact_an_observation_and_a_turn) {
  auto id = know("Ann lives in Berlin");
  BOOST_TEST(refusal("forget", R"({"fact_id": ")" + id + "\"}") == "forbidden by.role");
  by = as_admin("root");
  auto done = call("forget", R"({"fact_id": ")" + id + "\"}");
  BOOST_TEST(done.at("fact_ids").at(0).as_string() == id);
  BOOST_TEST(total(call("query_facts")) == 0u);
  auto seen = add(R"({"type": "observation", "content": "Smoke in the kitchen"})");
  call("forget", R"({"observation_id": ")" + seen + "\"}");
  BOOST_TEST(call("get_observation", R"({"observation_id": ")" + seen + "\"}").is_null());
  BOOST_TEST(total(call("search_memory", R"({"query": "kitchen"})")) == 0u);
  auto turn = text(call("begin_turn", R"({"input": "Find a flight to Paris"})"), "turn_id");
  call("forget", R"({"turn_id": ")" + turn + "\"}");
  BOOST_TEST(call("query_episodes").at("episodes").as_array().empty());
  BOOST_TEST(total(call("search_memory", R"({"query": "flight Paris"})")) == 0u);
  BOOST_TEST(refusal("forget", R"({"turn_id": ")" + turn + "\"}") == "not_found turn_id");
  BOOST_TEST(refusal("forget", "{}") == "invalid_request observation_id");
  BOOST_TEST(refusal("forget", R"({"fact_id": ""})") == "invalid_request fact_id");
  BOOST_TEST(refusal("forget", R"({"turn_id": ""})") == "invalid_request turn_id");
}

BOOST_AUTO_TEST_CASE(a_goal_is_made_that_nothing_has_led_to) {
  auto made = call("create_goal", R"({"title": "Book the train", "priority": "high",
    "pending_actions": [{"action_type": "book", "description": "Book it"}]})");
  BOOST_TEST(text(made, "title") == "Book the train");
  BOOST_TEST(text(made, "status") == "pending");
  BOOST_REQUIRE(made.at("pending_actions").as_array().size() == 1u);
  BOOST_TEST(refusal("create_goal", R"({"title": ""})") == "invalid_request title");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
