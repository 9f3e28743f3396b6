#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/tests/runtime/api/asked_team.hpp"
#include "scratchpage/tests/runtime/api/callers.hpp"

/// Other clients cannot change the answer of a turn by adding to it, and cannot keep a person from
/// beginning a turn.

namespace scratchpage::test {

namespace {

struct crowded_team : asked_team {
  using pending = std::shared_ptr<pending_answer<operation_answer>>;

  crowded_team() {
    recorded_response broken{.status = tool_status::error, .outputs = {{"error", "out of order"}}};
    add_tool({.tool_id = "echo"}).after_last = after_last::repeat;
    add_tool({.tool_id = "broken"}, {broken}).after_last = after_last::repeat;
    add_tool({.tool_id = "slow", .timeout_ms = 90'000}, {{.latency_ms = 60'000}}).after_last =
      after_last::repeat;
  }

  /// Begins a turn of ann that stays open, in which one call has succeeded and one has failed.
  std::string hold_anns(const std::string& more = {}) {
    auto turn = as(ann, "begin_turn",
      R"({"input": "Echo it", "thread_id": "anns", "hold": true,
          "plan": [{"tool_id": "echo"}, {"tool_id": "broken"}])"
        + more + "}");
    BOOST_REQUIRE(turn.at("status").as_string() == "held");
    return std::string{turn.at("turn_id").as_string()};
  }

  json::value end(const caller& who, const std::string& turn_id) {
    return as(who, "end_turn", R"({"turn_id": ")" + turn_id + "\"}");
  }

  /// Another agent adds `count` drafts to a turn, in one request.
  void crowd(const std::string& turn_id, int count, const std::string& draft) {
    std::string drafts;
    for (int i = 0; i < count; ++i)
      drafts += (drafts.empty() ? "" : ", ") + draft;
    as(other, "add_observations",
      R"({"drafts": [)" + drafts + R"(], "turn_id": ")" + turn_id + "\"}");
  }

  /// The outcomes of the calls in the Evaluator's assessment, as "succeeded failed".
  static std::string calls_in(const json::value& turn) {
    std::string result;
    for (const auto& x : turn.at("assessment").at("calls").as_array())
      result.append(result.empty() ? "" : " ").append(x.at("outcome").as_string());
    return result;
  }

  static std::string response_of(const json::value& turn) {
    return std::string{turn.at("response").as_string()};
  }

  static std::string status_of(const json::value& turn) {
    return std::string{turn.at("status").as_string()};
  }

  pending start_as(const caller& who, std::string_view arguments) {
    call_operation request{who, "main", "begin_turn", parse_json(arguments)->get_object()};
    auto result = send(operations, std::move(request));
    settle();
    return result;
  }

  static std::string outcome_of(const pending& x) {
    if (!x->arrived())
      return "waits";
    auto& answer = *x->value;
    return answer ? "none" : to_string(code_of(answer.error())) + " " + field_of(answer.error());
  }
};

constexpr auto failed_call = "More work: call_2 (broken) failed";

} // namespace

BOOST_FIXTURE_TEST_SUITE(crowded_turns, crowded_team)

// -- answers of turns ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(what_another_agent_adds_hides_no_call_of_a_persons_turn) {
  begin();
  auto turn = hold_anns();
  crowd(turn, 1'000, R"({"type": "observation", "content": "Something"})");
  auto ended = end(ann, turn);
  BOOST_TEST(calls_in(ended) == "succeeded failed");
  BOOST_TEST(response_of(ended).starts_with(failed_call));
}

BOOST_AUTO_TEST_CASE(what_another_agent_adds_hides_no_answer_that_was_not_heard) {
  begin();
  auto turn = as(ann, "begin_turn",
    R"({"input": "Yes", "thread_id": "anns", "hold": true, "context": {"confirms": "obs_1"}})");
  auto id = std::string{turn.at("turn_id").as_string()};
  crowd(id, 999, R"({"type": "observation", "content": "Something"})");
  crowd(id, 1, R"({"type": "pending_confirmation", "content": "Which PIN?"})");
  auto ended = end(ann, id);
  BOOST_TEST(response_of(ended).find("was not taken") != std::string::npos, response_of(ended));
  BOOST_TEST(response_of(ended).ends_with("other asks: Which PIN?"));
}

BOOST_AUTO_TEST_CASE(another_agent_takes_nothing_away_that_was_done_in_a_persons_turn) {
  begin();
  auto turn = hold_anns();
  observation_filter of_turn;
  of_turn.turn_id = turn;
  auto noticed = query(std::move(of_turn)).observations;
  BOOST_REQUIRE(!noticed.empty());
  for (const auto& x : noticed) {
    auto id = R"({"observation_id": ")" + x->observation_id + "\"";
    BOOST_TEST(
      refusal_of(other, "archive_observation", id + "}") == "forbidden observation_id", x->type);
    BOOST_TEST(refusal_of(other, "update_observation", id + R"(, "changes": {"ttl_minutes": 0}})")
                 == "forbidden observation_id",
      x->type);
  }
  auto ended = end(ann, turn);
  BOOST_TEST(calls_in(ended) == "succeeded failed");
}

BOOST_AUTO_TEST_CASE(what_a_turn_did_is_told_when_its_person_or_the_program_has_archived_it) {
  begin();
  auto turn = hold_anns();
  for (const auto* type : {"tool_result", "execution_plan"})
    as(ann, "archive_observation",
      R"({"observation_id": ")" + of_type(type).at(0)->observation_id + "\"}");
  archive_observation by_program{
    as_daemon("planner"), of_type("error_alert").at(0)->observation_id};
  BOOST_REQUIRE(static_cast<bool>(ask(host->page(), by_program)));
  auto ended = end(ann, turn);
  BOOST_TEST(calls_in(ended) == "succeeded failed");
  BOOST_TEST(response_of(ended).starts_with(failed_call));
}

BOOST_AUTO_TEST_CASE(what_others_have_to_be_reviewed_hides_no_call) {
  begin();
  auto turn = hold_anns();
  crowd(turn, 900, R"({"type": "observation", "content": "Doubtful", "confidence": 0.1,
    "status": "pending_review"})");
  auto ended = end(ann, turn);
  BOOST_TEST(calls_in(ended) == "succeeded failed");
  BOOST_TEST(response_of(ended).starts_with(failed_call));
}

BOOST_AUTO_TEST_CASE(a_draft_for_a_turn_that_will_begin_is_refused) {
  begin();
  auto turn = hold_anns();
  auto next = turn.substr(0, turn.size() - 1) + static_cast<char>(turn.back() + 1);
  auto draft = R"({"type": "observation", "content": "Early", "turn_id": ")" + next + "\"}";
  BOOST_TEST(refusal_of(other, "add_observation", draft) == "not_found turn_id");
  auto begun = as(ann, "begin_turn", R"({"input": "Hello", "thread_id": "next", "hold": true})");
  BOOST_TEST(begun.at("turn_id").as_string() == next);
  BOOST_TEST(refusal_of(other, "add_observation", draft) == "none");
}

BOOST_AUTO_TEST_CASE(a_turn_that_was_held_for_a_day_is_assessed) {
  begin();
  auto turn = hold_anns(R"(, "deadline_ms": 604800000)");
  advance(std::chrono::hours{24});
  auto ended = end(ann, turn);
  BOOST_TEST(status_of(ended) == "more_work");
  BOOST_TEST(calls_in(ended) == "succeeded failed");
}

// -- who may begin turns ---------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(turns_that_agents_hold_leave_room_for_those_of_persons) {
  setup.config.page.max_open_turns = 4;
  begin();
  constexpr auto held =
    R"({"input": "x", "hold": true, "mode": "parallel", "deadline_ms": 604800000})";
  for (const auto* name : {"first", "second", "third"})
    as(as_daemon(name), "begin_turn", held);
  BOOST_TEST(refusal_of(other, "begin_turn", held) == "overloaded turn_id");
  BOOST_TEST(status_of(as(ann, "begin_turn", R"({"input": "Thank you"})")) == "complete");
  BOOST_TEST(to_string(say("Go on").status) == "complete"); // the embedding program has no limit
}

BOOST_AUTO_TEST_CASE(turns_of_agents_that_wait_leave_room_in_the_queue) {
  setup.config.turns.max_queued = 4;
  begin();
  constexpr auto work = R"({"input": "Work", "thread_id": "t", "plan": [{"tool_id": "slow"}]})";
  auto anns = start_as(ann, work);
  std::vector<pending> waiting;
  for (const auto* name : {"first", "second", "third"})
    waiting.push_back(start_as(as_daemon(name), work));
  BOOST_TEST(outcome_of(start_as(other, work)) == "overloaded thread_id");
  BOOST_TEST(outcome_of(start_as(ann, work)) == "waits");
  BOOST_TEST(outcome_of(anns) == "waits");
  for (const auto& x : waiting)
    BOOST_TEST(outcome_of(x) == "waits");
  BOOST_TEST(outcome_of(start_as(ann, work)) == "overloaded thread_id"); // its limit is reached
}

BOOST_AUTO_TEST_CASE(the_owner_ends_a_turn_that_an_agent_holds) {
  begin();
  auto turn =
    as(other, "begin_turn", R"({"input": "Thanks", "hold": true, "deadline_ms": 604800000})");
  auto open = as(owner, "turns_list", R"({"limit": 1})").at("turns").as_array();
  BOOST_REQUIRE(open.size() == 1u);
  BOOST_TEST(open[0].at("status").as_string() == "held");
  auto id = std::string{open[0].at("turn_id").as_string()};
  BOOST_TEST(id == turn.at("turn_id").as_string());
  BOOST_TEST(refusal_of(bob, "end_turn", R"({"turn_id": ")" + id + "\"}") == "forbidden turn_id");
  BOOST_TEST(status_of(end(owner, id)) == "complete");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
