#define BOOST_TEST_MODULE replay_player
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <sstream>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/runtime/cli/terminal/story.hpp"
#include "scratchpage/runtime/simulation/decisions.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"
#include "scratchpage/runtime/simulation/player.hpp"
#include "scratchpage/runtime/simulation/report.hpp"
#include "scratchpage/runtime/simulation/scenario.hpp"
#include "scratchpage/tests/support/contains.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/require_value.hpp"

/// What the real ensemble makes of calls and turns whose end is not known at once.

namespace scratchpage {

using test::contains;

namespace {

constexpr auto half_a_talk = R"({"id":"t","messages":[)"
                             R"({"role":"user","content":"Book me a flight to Paris"},)"
                             R"({"role":"assistant","tool_calls":[{"id":"1","type":"function",)"
                             R"("function":{"name":"book_flight","arguments":"{}"}}]},)"
                             R"({"role":"assistant","content":"Your flight is booked."}]})";

constexpr auto in_background = R"({"scenario": "background",
  "tools": [{"tool_id": "slow", "latency_ms": 5000, "responses": [{"outputs": {"ok": true}}]}],
  "steps": [{"turn": {"input": "Look it up", "mode": "background", "plan": [{"tool_id": "slow"}]}}]})";

constexpr auto of_another_call = R"({"scenario": "another",
  "tools": [
    {"tool_id": "first", "responses": [{"outputs": {"ok": true},
      "observations": {"type": "tool_result", "content": "second: done", "confidence": 0.9,
        "metadata": {"call_id": "call_2", "tool_id": "first", "status": "ok"}}}]},
    {"tool_id": "second", "responses": [{"status": "error", "outputs": {"error": "no seat"}}]}],
  "steps": [{"turn": {"input": "Book it", "plan": [{"tool_id": "first"}, {"tool_id": "second"}]}}]})";

play_result play(const conversation& x) {
  ensemble_player player;
  BOOST_TEST_REQUIRE(!player.configure({}));
  auto result = player.play(x, {});
  BOOST_TEST_REQUIRE(result.has_value(), (result ? "" : describe(result.error())));
  return std::move(*result);
}

conversation talk() {
  return test::require_value(read_transcript(half_a_talk, "t.jsonl")).conversations.at(0);
}

conversation scene(const char* text) {
  return test::require_value(read_scenario(text, "t.json"));
}

std::string told(const conversation& x, const play_result& result) {
  std::ostringstream out;
  story_printer story{out, {}, {}};
  story.tell(x, result);
  story.tell_end(result.counters);
  return out.str();
}

std::string shown(const conversation& x, const play_result& result) {
  report page{1};
  page.add(x, result);
  return page.html("t", "t", result.counters);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_call_without_an_answer_has_neither_succeeded_nor_failed) {
  auto result = play(talk());
  BOOST_TEST_REQUIRE(result.turns.at(0).calls.size() == 1u);
  BOOST_TEST(!result.turns[0].calls[0].has_answer);
  BOOST_TEST(result.counters.unanswered_calls == 1u);
  BOOST_TEST(result.counters.tool_errors == 0u);
  BOOST_TEST(result.counters.error_alerts == 0u);
  const auto& assessment = result.turns[0].result.assessment;
  BOOST_TEST(text_member(assessment, "outcome") == "more_work");
  BOOST_TEST(contains(to_text(json::value(assessment)), "1 (book_flight) has no result"));
  BOOST_TEST(contains(to_text(json::value(assessment)), R"("outcome":"unanswered")"));
  for (const auto& goal : result.goals)
    BOOST_TEST(int(goal.status) != int(goal_status::completed));
}

BOOST_AUTO_TEST_CASE(every_output_names_a_call_without_an_answer) {
  auto x = talk();
  auto result = play(x);
  auto decided = decisions_in("t", result);
  BOOST_TEST(
    to_text(decided.at(0).at("unanswered")) == R"([{"call_id":"1","tool_id":"book_flight"}])");
  BOOST_TEST(contains(told(x, result), "book_flight: the result of the call is not known"));
  BOOST_TEST(contains(told(x, result), "without answer"));
  BOOST_TEST(contains(shown(x, result), R"("status":"unanswered")"));
  BOOST_TEST(contains(shown(x, result), "<span>without answer</span>"));
  BOOST_TEST(contains(to_summary_text(result.counters), R"("unanswered_calls": 1)"));
}

BOOST_AUTO_TEST_CASE(a_background_turn_is_told_with_its_end) {
  auto x = scene(in_background);
  auto result = play(x);
  const auto& turn = result.turns.at(0);
  BOOST_TEST(int(turn.result.status) == int(turn_status::complete));
  BOOST_TEST(duration_of(turn.result).value_or(-1) == 5000);
  BOOST_TEST(turn.calls.at(0).has_answer);
  BOOST_TEST(turn.calls.at(0).duration_ms == 5000);
  BOOST_TEST(!contains(told(x, result), " -"));
}

BOOST_AUTO_TEST_CASE(a_turn_without_an_end_has_no_duration) {
  turn_result x;
  x.started_at = *from_rfc3339("2025-11-05T10:00:00Z");
  BOOST_TEST(!duration_of(x));
  x.ended_at = *from_rfc3339("2025-11-05T09:00:00Z");
  BOOST_TEST(!duration_of(x));
  x.ended_at = x.started_at;
  BOOST_TEST(duration_of(x).value_or(-1) == 0);
}

BOOST_AUTO_TEST_CASE(a_turn_that_goes_on_is_not_drawn_before_the_report_begins) {
  auto x = scene(in_background);
  auto result = play(x);
  result.turns[0].result.ended_at = {};
  result.turns[0].result.status = turn_status::background;
  BOOST_TEST(contains(told(x, result), "not ended"));
  BOOST_TEST(contains(shown(x, result), R"("goes_on":true)"));
  BOOST_TEST(!contains(shown(x, result), R"("to":-)"));
}

BOOST_AUTO_TEST_CASE(a_tool_cannot_tell_the_result_of_another_call) {
  auto result = play(scene(of_another_call));
  const auto& assessment = result.turns.at(0).result.assessment;
  BOOST_TEST(contains(to_text(json::value(assessment)), "call_2 (second) failed: no seat"));
  auto is_refused = [](const trace_entry& x) {
    return x.operation == "add_observation" && x.status == "forbidden";
  };
  BOOST_TEST(std::any_of(result.trace.begin(), result.trace.end(), is_refused));
}

} // namespace scratchpage
