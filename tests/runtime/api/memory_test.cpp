#include <set>
#include <string>
#include <utility>

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
  by = as_user("bob");
  BOOST_TEST(refusal("forget", R"({"fact_id": ")" + id + "\"}") == "forbidden fact_id");
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
  BOOST_TEST(refusal("forget", "{}") == "invalid_request id");
  BOOST_TEST(refusal("forget", R"({"fact_id": ""})") == "invalid_request fact_id");
  BOOST_TEST(refusal("forget", R"({"turn_id": ""})") == "invalid_request turn_id");
}

BOOST_AUTO_TEST_CASE(what_is_remembered_is_recalled_by_its_words_or_as_the_latest) {
  by = as_daemon("assistant");
  auto said = text(call("recall"), "said");
  BOOST_TEST(said == "Nothing is remembered yet");
  auto fact = call("remember", R"({"text": "Ann is allergic to peanuts", "tags": ["food"]})");
  BOOST_TEST(text(fact, "kept_as") == "fact");
  auto passing = call("remember", R"({"text": "The oven is being repaired", "days": 2})");
  BOOST_TEST(text(passing, "kept_as") == "observation");
  BOOST_TEST(!text(passing, "until").empty());
  auto subject = call("remember", R"({"text": "She prefers tea", "about": "Ann"})");
  BOOST_TEST(text(subject, "text") == "Ann: She prefers tea");
  auto found = call("recall", R"({"query": "peanuts"})").at("memories");
  BOOST_REQUIRE(found.as_array().size() == 1u);
  BOOST_TEST(text(found.at(0), "id") == text(fact, "id"));
  BOOST_TEST(text(found.at(0), "text") == "Ann is allergic to peanuts");
  BOOST_TEST(text(found.at(0), "who") == "daemon assistant");
  BOOST_TEST(!text(found.at(0), "when").empty());
  BOOST_TEST(call("recall", R"({"query": "oven"})").at("memories").as_array().size() == 1u);
  BOOST_TEST(
    call("recall", R"({"query": "food"})").at("memories").as_array().size() == 1u); // a tag
  BOOST_TEST(call("recall").at("memories").as_array().size() == 3u);
  BOOST_TEST(call("recall", R"({"limit": 1})").at("memories").as_array().size() == 1u);
  auto none = call("recall", R"({"query": "submarine"})");
  BOOST_TEST(none.at("memories").as_array().empty());
  BOOST_TEST(!text(none, "said").empty());
}

BOOST_AUTO_TEST_CASE(what_is_long_or_passes_is_kept_as_an_observation) {
  auto kept_as = [&](const std::string& words) {
    json::object given{{"text", words}};
    return text(call("remember", to_text(json::value(given))), "kept_as");
  };
  BOOST_TEST(kept_as("The office is in Oslo") == "fact");
  BOOST_TEST(kept_as("Ann is in Rome from 2025-11-05 to 2025-11-12") == "fact");
  BOOST_TEST(kept_as("First line\nsecond line") == "observation");
  BOOST_TEST(kept_as("The lift is long " + std::string(3'000, 'x')) == "observation");
  BOOST_TEST(refusal("remember", R"({"text": " "})") == "invalid_request text");
  auto longest = to_text(json::value{{"text", std::string(60'001, 'x')}});
  BOOST_TEST(refusal("remember", longest) == "invalid_request text");
  BOOST_TEST(refusal("remember", R"({"text": "x", "days": 0})") == "invalid_request days");
  BOOST_TEST(refusal("remember", R"({"text": "x", "days": 400})") == "invalid_request days");
  BOOST_TEST(refusal("remember", R"({"text": "The password of the router is hunter2"})")
             == "invalid_request text");
  BOOST_TEST(refusal("recall", R"({"limit": 1000})") == "invalid_request limit");
}

BOOST_AUTO_TEST_CASE(a_fact_that_has_ended_is_not_recalled_as_if_it_held) {
  auto id = know("Ann lives in Berlin");
  call("update_fact", R"({"fact_id": ")" + id + R"(", "ended": true})");
  BOOST_TEST(call("recall").at("memories").as_array().empty());
  auto found = call("recall", R"({"query": "Berlin"})").at("memories");
  BOOST_REQUIRE(found.as_array().size() == 1u);
  BOOST_TEST(text(found.at(0), "text").find("(until ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_agent_forgets_what_it_remembered_itself_and_nothing_else) {
  auto of_ann = know("Ann lives in Berlin");
  by = as_daemon("assistant");
  auto about = [](const std::string& id) { return R"({"id": ")" + id + "\"}"; };
  auto fact = text(call("remember", R"({"text": "Bob likes chess"})"), "id");
  auto passing = text(call("remember", R"({"text": "The lift is broken", "days": 1})"), "id");
  auto seen = add(R"({"type": "observation", "content": "Smoke in the kitchen"})");
  auto shared = text(call("remember", R"({"text": "The office is in Oslo"})"), "id");

  auto owner = std::exchange(by, as_daemon("other"));
  call("remember", R"({"text": "The office is in Oslo"})"); // now others said so, too
  for (const auto& id : {fact, passing, shared})
    BOOST_TEST(refusal("forget", about(id)).starts_with("forbidden"), id);
  by = owner;
  for (const auto& id : {of_ann, seen, shared})
    BOOST_TEST(refusal("forget", about(id)).starts_with("forbidden"), id);
  call("forget", about(fact));
  call("forget", about(passing));
  BOOST_TEST(call("recall", R"({"query": "chess lift"})").at("memories").as_array().empty());
  BOOST_TEST(refusal("forget", about(fact)) == "not_found fact_id");
  BOOST_TEST(refusal("forget", about(passing)) == "not_found observation_id");
  BOOST_TEST(refusal("forget", about("7")) == "invalid_request id");
  BOOST_TEST(refusal("forget", about("turn_20251105_001")) == "forbidden turn_id");
}

BOOST_AUTO_TEST_CASE(only_remember_marks_what_may_be_forgotten) {
  by = as_daemon("assistant");
  auto draft = std::string{
    R"({"type": "observation", "content": "I did it", "context": {"kept_by": "remember"}})"};
  BOOST_TEST(refusal("add_observation", draft) == "forbidden context.kept_by");
  auto batch = call("add_observations", R"({"drafts": [)" + draft + "]}");
  BOOST_TEST(text(batch.at("results").at(0).at("error"), "field") == "context.kept_by");
}

BOOST_AUTO_TEST_CASE(words_of_others_do_not_become_an_agents_own_when_many_have_said_them) {
  auto of_ann = know("Ann lives in Berlin");
  by = as_daemon("assistant");
  for (int i = 0; i < 12; ++i)
    call("add_fact",
      R"({"statement": "Ann lives in Berlin", "user_id": "u)" + std::to_string(i) + "\"}");
  auto about = R"({"fact_id": ")" + of_ann + "\"";
  BOOST_TEST(refusal("forget", about + "}") == "forbidden fact_id");
  BOOST_TEST(refusal("update_fact", about + R"(, "statement": "Ann lives in Rome"})")
             == "forbidden fact_id");
}

BOOST_AUTO_TEST_CASE(an_observation_does_not_become_one_that_may_be_forgotten) {
  by = as_daemon("assistant");
  auto seen = add(R"({"type": "observation", "content": "I deleted the wrong file"})");
  call("update_observation",
    R"({"observation_id": ")" + seen + R"(", "changes": {"context": {"kept_by": "remember"}}})");
  BOOST_TEST(refusal("forget", R"({"id": ")" + seen + "\"}") == "forbidden observation_id");
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
