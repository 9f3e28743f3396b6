#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/runtime/cli/commands/page_commands.hpp"
#include "scratchpage/runtime/host/storage.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// `scratchpage trace` and its tree.

namespace scratchpage::test {

namespace {

trace_entry entry(span_id id, span_id parent, std::string operation, std::string turn_id = {}) {
  trace_entry x;
  x.id = id;
  x.parent = parent;
  x.at = *from_rfc3339("2025-11-05T10:30:00.250Z");
  x.agent_id = "agent";
  x.turn_id = std::move(turn_id);
  x.component = "router";
  x.operation = std::move(operation);
  x.status = "success";
  return x;
}

/// The tree of the entries, with a dot for each level: "a .b .c ..d".
std::string shape(const std::vector<trace_entry>& entries) {
  std::string result;
  for (const auto& x : tree_of(entries))
    result.append(result.empty() ? "" : " ").append(x.depth, '.').append(x.entry->operation);
  return result;
}

struct traced : shell {
  traced() { style.width = 400; }

  /// Stores trace entries as a process of the agent does.
  void put(const std::vector<trace_entry>& entries) {
    auto opened = storage::open(data());
    BOOST_REQUIRE(opened);
    auto traces = opened->open_trace();
    BOOST_REQUIRE(traces);
    BOOST_REQUIRE(!(*traces)->add("agent", 1'000, entries));
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(trace)

BOOST_AUTO_TEST_CASE(an_entry_stands_below_what_caused_it) {
  BOOST_TEST(shape({}) == "");
  BOOST_TEST(shape({entry(1, 0, "a"), entry(2, 1, "b"), entry(4, 0, "e"), entry(3, 1, "c"),
               entry(5, 3, "d")})
             == "a .b .c ..d e");
}

BOOST_AUTO_TEST_CASE(a_cause_may_be_written_after_what_it_caused) {
  BOOST_TEST(shape({entry(2, 1, "b"), entry(1, 0, "a")}) == "a .b");
}

BOOST_AUTO_TEST_CASE(nothing_is_left_out) {
  BOOST_TEST(shape({entry(2, 9, "of an unknown cause"), entry(3, 3, "of its own"),
               entry(4, 5, "of the next"), entry(5, 4, "of the one before")})
             == "of an unknown cause of its own of the next .of the one before");
}

BOOST_AUTO_TEST_CASE(of_two_processes_each_has_its_own_tree) {
  BOOST_TEST(
    shape({entry(1, 0, "a"), entry(2, 1, "b"), entry(1, 0, "c"), entry(2, 1, "d")}) == "a .b c .d");
}

BOOST_AUTO_TEST_CASE(a_chain_of_causes_may_be_long) {
  std::vector<trace_entry> chain;
  for (span_id i = 1; i <= 100'000; ++i)
    chain.push_back(entry(i, i - 1, "x"));
  BOOST_TEST(tree_of(chain).back().depth == 99'999u);
}

BOOST_FIXTURE_TEST_CASE(what_a_command_did_is_told, traced) {
  auto id = add("alert", "Smoke", {"--confidence", "0.95"});
  BOOST_TEST(run({"trace", "--limit", "1000"}) == 0);
  BOOST_TEST(out.starts_with("AT (UTC)"), out);
  BOOST_TEST(contains(out, "scratch_page add_observation"), out);
  BOOST_TEST(contains(out, "frontal_cortex create_goal"), out);
  BOOST_TEST(contains(out, "observation_id=" + id), out);
  BOOST_TEST(contains(out, " entries\n"), out);
  BOOST_TEST(run({"trace", "--limit", "1000", "--json"}) == 0);
  auto is_addition = [](const json::value& x) {
    return x.at("operation").as_string() == "add_observation";
  };
  auto told = answers();
  BOOST_TEST(std::count_if(told.begin(), told.end(), is_addition) == 1);
}

BOOST_FIXTURE_TEST_CASE(a_turn_is_shown_as_a_tree, traced) {
  add("alert", "Smoke");
  auto failed = entry(3, 2, "call_tool", "turn_7");
  failed.status = "not_found";
  failed.detail = {{"tool_id", "weather"}, {"inputs", json::object{{"city", "Rome"}}}};
  put({entry(1, 0, "begin_turn", "turn_7"), entry(2, 1, "route", "turn_7"), failed});
  BOOST_TEST(run({"trace", "turn_7"}) == 0);
  BOOST_TEST(contains(out, "10:30:00.250  router begin_turn"), out);
  BOOST_TEST(contains(out, "    router call_tool"), out);
  BOOST_TEST(contains(out, "tool_id=weather"), out);
  BOOST_TEST(!contains(out, "Rome"), out);
  BOOST_TEST(contains(out, "\n3 entries\n"), out);
  BOOST_TEST(run({"trace", "turn_7", "--json"}) == 0);
  BOOST_TEST(answers().size() == 3u);
  BOOST_TEST(run({"trace", "--turns"}) == 0);
  BOOST_TEST(contains(out, "turn_7  2025-11-05T10:30:00.250Z"), out);
  BOOST_TEST(contains(out, "\n1 turn\n"), out);
  BOOST_TEST(run({"trace", "--turns", "--json"}) == 0);
  BOOST_TEST(answer().at("turns").at(0).at("failures").to_number<int>() == 1);
}

BOOST_FIXTURE_TEST_CASE(a_tree_has_branches_where_they_can_be_drawn, traced) {
  add("alert", "Smoke");
  style.symbols = true;
  put({entry(1, 0, "begin_turn", "turn_7"), entry(2, 1, "route", "turn_7"),
    entry(3, 2, "clarify", "turn_7"), entry(4, 1, "plan", "turn_7"),
    entry(5, 4, "call_tool", "turn_7")});
  BOOST_TEST(run({"trace", "turn_7"}) == 0);
  for (const auto* line : {"  router begin_turn", "  ├─router route", "  │ └─router clarify",
         "  └─router plan", "    └─router call_tool"})
    BOOST_TEST(contains(out, line), out);
}

BOOST_FIXTURE_TEST_CASE(untrusted_text_in_a_trace_steers_no_terminal, traced) {
  add("alert", "Smoke");
  auto hostile = entry(1, 0, "route", "turn_1");
  hostile.detail = {{"error", "\x1b[2Jgone"}};
  put({hostile});
  for (const auto& words :
    {std::vector<std::string>{"trace", "turn_1"}, {"trace", "turn_1", "--json"}}) {
    BOOST_TEST(run(words) == 0);
    BOOST_TEST(!contains(out, "\x1b"), out);
    BOOST_TEST(contains(out, "gone"), out);
  }
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_shown_is_said, traced) {
  BOOST_TEST(run({"trace"}) == 2); // the directory does not exist
  BOOST_TEST(contains(err, "--data"), err);
  add("alert", "Smoke");
  BOOST_TEST(run({"trace", "turn_9"}) == 1);
  BOOST_TEST(contains(err, "there is no trace of a turn 'turn_9'"), err);
  BOOST_TEST(run({"trace", "turn_9", "--turns"}) == 2);
  BOOST_TEST(contains(err, "--turns"), err);
  BOOST_TEST(run({"trace", "--limit", "0"}) == 2);
  BOOST_TEST(contains(err, "--limit"), err);
  BOOST_TEST(run({"trace", "--agent", "nobody"}) == 2);
  BOOST_TEST(contains(err, "--agent"), err);
  BOOST_TEST(run({"trace", "--turns"}) == 0);
  BOOST_TEST(out == "no turns\n");
}

BOOST_FIXTURE_TEST_CASE(no_trace_is_kept_if_none_is_wanted, traced) {
  auto config = file("config.json", R"({"trace": {"keep": false}})");
  add("alert", "Smoke", {"--config", config});
  BOOST_TEST(run({"trace"}) == 0);
  BOOST_TEST(out == "no entries\n");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
