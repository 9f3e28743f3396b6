#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/tests/support/contains.hpp"
#include "scratchpage/tests/support/durable_team.hpp"

/// Turns that are open when their process ends (contract 14, "Open turns").

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

struct interrupted_team : durable_team {
  interrupted_team() {
    recorded_response slow;
    slow.outputs["found"] = "a flight";
    slow.latency_ms = 10'000;
    add_tool({.tool_id = "book_flight"}, {slow}).after_last = after_last::repeat;
    add_tool({.tool_id = "read_prices"}, {recorded_response{}}).after_last = after_last::repeat;
    begin();
  }

  void restart(timespan pause = {}) {
    end();
    advance(pause);
    begin();
    settle();
  }

  turn_result hold(double deadline_ms = 0) {
    begin_turn request{.thread_id = "main", .input = "Find a flight to Paris"};
    request.hold = true;
    request.deadline_ms = deadline_ms;
    return value(ask(host->turns(), std::move(request)));
  }

  /// Begins a turn whose second call is under way.
  std::string begin_work() {
    send(host->turns(),
      begin_turn{.thread_id = "main",
        .input = "Book a flight to Paris",
        .plan = {call("read_prices", {}, "prices"), call("book_flight", {}, "booking")}});
    advance(1s);
    BOOST_REQUIRE(open().size() == 1u);
    return open().front().turn_id;
  }

  std::vector<turn_summary> open() {
    std::vector<turn_summary> result;
    for (auto& x : value(ask(host->turns(), list_turns{as_daemon("tester")})).turns)
      if (x.status == turn_status::held || x.status == turn_status::running)
        result.push_back(std::move(x));
    return result;
  }

  turn_result end_turn_of(const std::string& id, const std::string& response) {
    return value(ask(host->turns(), end_turn{id, {}, response}));
  }

  turn_result await_end(const std::string& id) {
    auto answer = send(host->turns(), await_turn{id});
    advance(5s);
    BOOST_REQUIRE(answer->arrived());
    return value(*answer->value);
  }

  std::vector<episode> episodes() {
    return value(ask(host->episodes(), query_episodes{as_daemon("tester")})).episodes;
  }

  std::string contents(const std::vector<observation_ptr>& list, std::string_view type) {
    std::string result;
    for (const auto& x : list)
      if (x->type == type)
        result += x->content + "\n";
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(kept_turns, interrupted_team)

BOOST_AUTO_TEST_CASE(a_held_turn_is_held_by_the_next_process) {
  auto turn = hold();
  BOOST_TEST(to_string(turn.status) == "held");
  restart();
  BOOST_REQUIRE(open().size() == 1u);
  BOOST_TEST(open()[0].turn_id == turn.turn_id);
  BOOST_TEST(to_string(open()[0].status) == "held");
  BOOST_TEST(open()[0].input == "Find a flight to Paris");
  auto ended = end_turn_of(turn.turn_id, "A flight leaves at nine.");
  BOOST_TEST(contains(ended.response, "A flight leaves at nine."));
  BOOST_TEST(contents(ended.observations, "user_input") == "Find a flight to Paris\n");
  BOOST_TEST(contents(ended.observations, "agent_response") == "A flight leaves at nine.\n");
  BOOST_TEST(contents(ended.observations, "evaluation_result") != "");
  BOOST_REQUIRE(episodes().size() == 1u);
  BOOST_TEST((episodes()[0].started_at == turn.started_at));
  restart();
  BOOST_TEST(open().empty());
  BOOST_TEST(episodes().size() == 1u);
}

BOOST_AUTO_TEST_CASE(calls_can_be_reported_in_a_turn_that_is_held_again) {
  auto id = hold().turn_id;
  restart();
  report_tool_call report;
  report.turn_id = id;
  report.tool_id = "web_search";
  report.outputs["found"] = 3;
  auto told = value(ask(host->turns(), report));
  BOOST_TEST(told.observation->type == "tool_result");
  auto ended = end_turn_of(id, "I found three flights.");
  BOOST_TEST(contents(ended.observations, "tool_result") != "");
}

BOOST_AUTO_TEST_CASE(a_thread_waits_for_a_turn_that_is_held_again) {
  auto id = hold().turn_id;
  restart();
  auto refused = ask(host->turns(), begin_turn{.thread_id = "main", .input = "And back?"});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(to_string(code_of(refused.error())) == "conflict");
  BOOST_TEST(contains(describe(refused.error()), id));
}

BOOST_AUTO_TEST_CASE(the_deadline_of_a_held_turn_goes_on) {
  auto id = hold(60'000).turn_id;
  advance(20s);
  restart(20s);
  BOOST_TEST(open().size() == 1u);
  advance(19s);
  BOOST_TEST(open().size() == 1u);
  advance(2s);
  BOOST_TEST(open().empty());
  BOOST_REQUIRE(episodes().size() == 1u);
  BOOST_TEST(to_string(*episodes()[0].status) == "timed_out");
  BOOST_TEST(episodes()[0].turn_id == id);
}

BOOST_AUTO_TEST_CASE(a_turn_whose_deadline_passed_while_nobody_ran_has_timed_out) {
  hold(60'000);
  restart(1h);
  BOOST_TEST(open().empty());
  BOOST_REQUIRE(episodes().size() == 1u);
  BOOST_TEST(to_string(*episodes()[0].status) == "timed_out");
}

BOOST_AUTO_TEST_CASE(a_turn_at_work_ends_with_its_story_and_names_the_calls_without_a_result) {
  auto id = begin_work();
  restart();
  auto ended = await_end(id);
  BOOST_TEST(to_string(ended.status) == "more_work");
  BOOST_TEST(contains(to_text(ended.assessment), "booking"));
  BOOST_TEST(!contains(contents(ended.observations, "observation"), "prices"));
  BOOST_TEST(contains(
    contents(ended.observations, "observation"), "No result is known of book_flight (booking)"));
  BOOST_REQUIRE(episodes().size() == 1u);
  BOOST_TEST(contents(episodes()[0].observations, "user_input") == "Book a flight to Paris\n");
  BOOST_TEST(contents(episodes()[0].observations, "tool_result") != "");
}

BOOST_AUTO_TEST_CASE(no_call_is_made_again) {
  begin_work();
  auto calls = [this] { return traced("call_tool"); };
  auto before = calls();
  BOOST_TEST(before > 0u);
  restart();
  advance(1min);
  BOOST_TEST(calls() == before);
  BOOST_TEST(of_type("tool_result").size() == 1u); // of the first call
}

BOOST_AUTO_TEST_CASE(a_turn_that_has_ended_does_not_go_on) {
  say("Hello");
  restart();
  BOOST_TEST(open().empty());
  BOOST_TEST(episodes().size() == 1u);
  BOOST_TEST(traced("resume_turn") == 0u);
}

BOOST_AUTO_TEST_CASE(a_turn_without_an_input_on_the_page_is_dropped) {
  kept_turn lost{.turn_id = "turn_20251105_900", .until = now() + 1h};
  std::array rows{to_document(collection::open_turns, lost.turn_id, lost)};
  BOOST_TEST(!storage->put(setup.kept.owner, rows));
  restart();
  BOOST_TEST(traced("resume_turn") == 1u);
  BOOST_TEST(open().empty());
  BOOST_TEST(episodes().empty());
  restart();
  BOOST_TEST(traced("resume_turn") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
