#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/runtime/host/storage.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// `scratchpage goals` and `context`, and what a data directory keeps between commands.

namespace scratchpage::test {

BOOST_FIXTURE_TEST_SUITE(memories, shell)

BOOST_AUTO_TEST_CASE(what_deserves_a_goal_has_one_in_the_next_process) {
  auto id = add("contextual_insight", "User likes Burgundy wines", {"--confidence", "0.95"});
  BOOST_TEST(run({"goals", "--json"}) == 0);
  const auto& goals = answer().at("goals").as_array();
  BOOST_REQUIRE(goals.size() == 1u);
  BOOST_TEST(goals[0].at("observation_id").as_string().c_str() == id);
  BOOST_TEST(run({"query", "--json"}) == 0);
  BOOST_TEST(answer().at("observations").at(0).at("linked_to_goal").as_bool());
}

BOOST_AUTO_TEST_CASE(goals_are_shown_with_what_is_next) {
  BOOST_TEST(run({"add", "--type", "alert", "--confidence", "0.95", "Smoke"}) == 0);
  BOOST_TEST(run({"goals"}) == 0);
  BOOST_TEST(out.starts_with("GOAL"));
  BOOST_TEST(contains(out, "pending"), out);
  BOOST_TEST(contains(out, "---------- 0 %"), out);
  BOOST_TEST(contains(out, "    next: "), out);
  BOOST_TEST(contains(out, "1 goal\n"), out);
  BOOST_TEST(run({"goals", "--status", "completed", "--status", "abandoned"}) == 0);
  BOOST_TEST(out.starts_with("no goals; "));
}

BOOST_AUTO_TEST_CASE(a_context_is_text_for_a_prompt_and_figures_beside_it) {
  add("alert", "Smoke in the server room");
  add("contextual_insight", "User likes Burgundy wines", {"--confidence", "0.95"});
  BOOST_TEST(run({"context", "What burns in the server room?", "--budget", "1000"}) == 0);
  BOOST_TEST(contains(out, "Smoke in the server room"), out);
  BOOST_TEST(contains(out, "Goals:"), out);
  BOOST_TEST(contains(err, " of 1000 tokens: observations "), err);
}

BOOST_AUTO_TEST_CASE(a_context_keeps_to_its_budget_and_names_its_parts) {
  for (int i = 0; i < 20; ++i)
    input += R"({"type":"alert","content":"Smoke in room )" + std::to_string(i) + "\"}\n";
  BOOST_TEST(run({"add", "--file", "-"}) == 0);
  BOOST_TEST(run({"context", "smoke", "--budget", "60", "--json"}) == 0);
  auto found = from_json<assembled_context>(answer());
  BOOST_REQUIRE(found);
  BOOST_TEST(found->tokens <= 60u);
  BOOST_TEST(found->parts.size() == 4u);
}

BOOST_AUTO_TEST_CASE(a_history_of_nothing_but_commands_is_folded_too) {
  auto config = file("config.json", R"({"journal": {"fold_after": 3}})");
  for (int i = 0; i < 5; ++i)
    add("observation", "x", {"--config", config});
  BOOST_TEST(numbers({}) == "5 4 3 2 1");
  auto opened = storage::open(data());
  BOOST_REQUIRE(opened);
  auto agent = opened->store->find_agent("agent");
  BOOST_REQUIRE(agent && *agent);
  auto head = opened->store->find_snapshot(**agent, snapshot_kind::latest);
  BOOST_REQUIRE(head);
  BOOST_TEST(head->sequence == 3u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
