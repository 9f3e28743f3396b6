#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/player.hpp"
#include "scratchpage/tests/support/require_value.hpp"

namespace scratchpage {

namespace {

/// A small world: one turn, two observations, a goal, a fact and two trace entries.
class small_world : public replay_world {
public:
  small_world() {
    turn.result.status = turn_status::waiting;
    turn.result.urgency = urgency::medium;
    turn.result.questions = {"Which city?"};
    turn.result.response = "Tell me the city";
    turn.calls.resize(2);
    turn.calls[1].status = tool_status::timeout;
    goal_.goal_type = "find_wine";
    goal_.title = "Find a wine";
    goal_.progress = 0.5;
    goal_.status = goal_status::in_progress;
    goal_.observation_ids = {"o1", "o2"};
    trace_.resize(2);
    trace_[0].component = "router";
    trace_[0].operation = "route";
    trace_[0].status = "success";
    trace_[0].detail["urgency"] = "medium";
    trace_[1].component = "router";
    trace_[1].operation = "route";
    trace_[1].status = "warning";
  }

  const played_turn* last_turn() const override { return any_turn ? &turn : nullptr; }

  caf::expected<std::vector<observation_ptr>> observations(
    const observation_filter& filter, const std::string& text) override {
    asked = to_text(to_json(filter)) + text;
    if (broken)
      return fail(errc::deadline_exceeded, "", "an answer in time");
    observation x;
    x.type = "alert";
    x.content = "Smoke in the kitchen";
    x.linked_to_goal = true;
    observation y = x;
    y.content = "Rain";
    y.linked_to_goal = false;
    return std::vector{observation_ptr{x}, observation_ptr{y}};
  }

  caf::expected<std::vector<observation_ptr>> archive(const observation_filter&) override {
    return std::vector<observation_ptr>{};
  }

  caf::expected<std::vector<goal>> goals() override { return std::vector{goal_}; }

  caf::expected<std::vector<fact>> facts() override {
    fact x;
    x.statement = "Rain is likely";
    x.confidence = 0.8;
    x.support = 4;
    return std::vector{x};
  }

  std::vector<trace_entry> trace() const override { return trace_; }

  run_summary summary() const override {
    run_summary result;
    result.turns = 3;
    result.virtual_seconds = 1.5;
    return result;
  }

  played_turn turn;
  bool any_turn = true;
  bool broken = false;
  std::string asked;

private:
  goal goal_;
  std::vector<trace_entry> trace_;
};

struct world_fixture {
  /// The expectations in `text` that do not hold, one a line.
  std::string unmet(std::string_view text) {
    const auto wanted = test::require_value(from_json_text<expectation>(text));
    std::string result;
    for (const auto& sentence : find_unmet(wanted, world))
      result.append(result.empty() ? "" : "\n").append(sentence);
    return result;
  }

  small_world world;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(expectations, world_fixture)

BOOST_AUTO_TEST_CASE(what_holds_is_not_mentioned) {
  BOOST_TEST(unmet(R"({
    "turn": {"status": "waiting", "urgency": "medium", "questions": 1,
      "question_contains": "city", "response_contains": "Tell", "calls": 2, "failed_calls": 1},
    "observations": [{"content_contains": "Smoke"}, {"count": 2}, {"linked_to_goal": true, "count": 1}],
    "archive": {"at_most": 0},
    "goals": {"title_contains": "wine", "goal_type": "find_wine", "status": "in_progress",
      "progress_at_least": 0.5, "observations": 2, "count": 1},
    "facts": {"statement_contains": "Rain", "confidence_at_least": 0.8, "support_at_least": 4},
    "trace": [{"component": "router", "operation": "route", "count": 2},
      {"status": "warning", "count": 1}, {"detail_contains": "\"urgency\":\"medium\"", "count": 1}],
    "summary": {"turns": {"equals": 3}, "virtual_seconds": {"at_least": 1, "at_most": 2}}})")
             == "");
}

BOOST_AUTO_TEST_CASE(each_member_of_a_turn_is_checked) {
  BOOST_TEST(unmet(R"({"turn": {"status": "complete", "urgency": "high", "questions": 0,
    "question_contains": "day", "response_contains": "Hello", "calls": 1, "failed_calls": 0}})")
             == "turn.status: expected complete, was waiting\n"
                "turn.urgency: expected high, was medium\n"
                "turn.questions: expected 0, was 1\n"
                "turn.calls: expected 1, was 2\n"
                "turn.failed_calls: expected 0, was 1\n"
                "turn.response_contains: expected \"Hello\", was \"Tell me the city\"\n"
                "turn.question_contains: expected \"day\", was \"Which city?\"");
}

BOOST_AUTO_TEST_CASE(a_turn_is_expected_only_after_one) {
  world.any_turn = false;
  BOOST_TEST(unmet(R"({"turn": {}})") == "turn: expected a turn that has ended, but none has");
}

BOOST_AUTO_TEST_CASE(counts_have_bounds_and_without_any_at_least_one_must_be_there) {
  BOOST_TEST(unmet(R"({"observations": {"content_contains": "Snow"}})")
             == "observations: expected at least 1 for {\"content_contains\":\"Snow\"}, found 0; "
                "there is alert \"Smoke in the kitchen\", alert \"Rain\"");
  BOOST_TEST(unmet(R"({"observations": {"count": 3}})")
             == "observations: expected exactly 3 for anything, found 2");
  BOOST_TEST(unmet(R"({"observations": {"at_least": 3}})")
             == "observations: expected at least 3 for anything, found 2");
  BOOST_TEST(unmet(R"({"observations": {"at_most": 1}})")
             == "observations: expected at most 1 for anything, found 2");
  BOOST_TEST(unmet(R"({"archive": {}})") == "archive: expected at least 1 for anything, found 0");
}

BOOST_AUTO_TEST_CASE(the_filter_and_the_text_are_what_the_page_is_asked) {
  unmet(R"({"observations": {"filter": {"type": "alert"}, "text": "smoke"}})");
  BOOST_TEST(world.asked.find(R"("type":["alert"])") != std::string::npos);
  BOOST_TEST(world.asked.ends_with("smoke"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_asked_for_is_unmet) {
  world.broken = true;
  BOOST_TEST(unmet(R"({"observations": {"count": 0}})")
             == "observations: the agent could not be asked: deadline_exceeded: an answer in time");
}

BOOST_AUTO_TEST_CASE(goals_facts_and_trace_are_told_with_what_there_is) {
  BOOST_TEST(unmet(R"({"goals": {"progress_at_least": 0.6}})")
             == "goals: expected at least 1 for {\"progress_at_least\":0.6}, found 0; there is "
                "\"Find a wine\" (find_wine, in_progress, 50 %, 2 observations)");
  BOOST_TEST(
    unmet(R"({"goals": [{"observations": 1}, {"status": "pending"}, {"priority": "high"}]})")
      .find("found 1")
    == std::string::npos);
  BOOST_TEST(
    unmet(R"({"facts": {"support_at_least": 5}})").ends_with("there is \"Rain is likely\""));
  BOOST_TEST(unmet(R"({"trace": {"component": "evaluator"}})")
               .ends_with("there is router.route success, router.route warning"));
}

BOOST_AUTO_TEST_CASE(figures_of_the_summary_have_bounds) {
  BOOST_TEST(unmet(R"({"summary": {"turns": {"equals": 2}, "virtual_seconds": {"at_most": 1}}})")
             == "summary.turns: expected {\"equals\":2.0}, was 3\n"
                "summary.virtual_seconds: expected {\"at_most\":1.0}, was 1.5");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(summaries_add_up_and_write_every_figure) {
  run_summary x, y;
  x.turns = 2;
  x.virtual_seconds = 0.5;
  y.turns = 3;
  y.lost = 1;
  y.virtual_seconds = 1;
  x += y;
  BOOST_TEST(x.turns == 5u);
  BOOST_TEST(x.virtual_seconds == 1.5);
  auto read = from_json_text<run_summary>(to_summary_text(x));
  BOOST_REQUIRE(read);
  BOOST_TEST(read->lost == 1u);
}

} // namespace scratchpage
