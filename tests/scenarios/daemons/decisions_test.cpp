#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/daemons/one_page.hpp"

namespace scratchpage::test {

namespace {

/// The trace entries of one operation by one daemon within one turn.
std::vector<trace_entry> asked_in(const memory_trace& trace, std::string_view operation,
  std::string_view daemon, const turn_result& turn) {
  auto result = entries_of(trace, operation, daemon);
  std::erase_if(result, [&](const trace_entry& x) { return x.turn_id != turn.turn_id; });
  return result;
}

observation_changes to_status(status x) {
  observation_changes changes;
  changes.status = x;
  return changes;
}

struct acting_team : team {
  void change(const std::string& id, observation_changes changes) {
    value(ask(host->page(),
      update_observation{
        .by = as_daemon("probe"), .observation_id = id, .changes = std::move(changes)}));
  }

  std::vector<observation_ptr> in_archive() {
    list_archive request;
    request.by = as_daemon("probe");
    request.limit = 1000;
    return value(ask(host->page(), std::move(request))).observations;
  }

  observation_ptr archived(const std::string& id) {
    for (const auto& x : in_archive())
      if (x->observation_id == id)
        return x;
    return {};
  }
};

} // namespace

// -- Router ---------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_live_alert_about_the_subject_raises_urgency, acting_team, *label("SP_router_risk")) {
  start();
  BOOST_TEST(to_string(say("Transfer 100 euros to my landlord").urgency) == "low");

  auto fraud = add(as_daemon("system_analyzer"),
    draft("risk_alert", "Possible fraud on the user's account", 0.95, {"fraud"}))
                 .observation->observation_id;
  auto risky = say("Transfer 100 euros to my landlord");
  BOOST_TEST(to_string(risky.urgency) == "high");
  auto read = asked_in(*trace, "get_active_observations", "router", risky);
  BOOST_REQUIRE(read.size() == 1u);
  auto routing = value(ask(host->page(), query_by(as_daemon("probe"), typed("routing_decision"))))
                   .observations.front();
  BOOST_TEST(routing->source.turn_id == risky.turn_id);
  BOOST_TEST(routing->content.find(fraud) != std::string::npos);
  BOOST_TEST(to_string(say("Tell me a joke").urgency) == "low"); // another subject

  change(fraud, to_status(status::resolved));
  BOOST_TEST(to_string(say("Transfer 100 euros to my landlord").urgency) == "low");
}

BOOST_FIXTURE_TEST_CASE(a_response_warns_of_an_alert_about_the_subject, acting_team) {
  start();
  auto phishing = add(as_tool("check_email"),
    draft("alert", "Suspicious email detected: sender claims to be bank", 0.9, {"phishing"}))
                    .observation->observation_id;
  BOOST_REQUIRE(goals().size() == 1u);
  BOOST_REQUIRE(goals().front().pending_actions.size() == 1u);

  auto other = say("Tell me a joke");
  BOOST_TEST(other.warnings.empty());
  BOOST_TEST((goals().front().pending_actions.front().status == action_status::pending));

  auto risky = say("Send my password to the bank by email");
  std::string warning{"Warning: Suspicious email detected: sender claims to be bank."};
  BOOST_TEST(risky.response.starts_with(warning));
  BOOST_REQUIRE(risky.warnings.size() == 1u);
  BOOST_TEST(risky.warnings.front() == warning);
  auto told = goals().front();
  BOOST_TEST(told.observation_id == phishing);
  BOOST_TEST((told.pending_actions.front().status == action_status::done));
  BOOST_TEST((told.status == goal_status::completed));

  change(phishing, to_status(status::resolved));
  BOOST_TEST(say("Send my password to the bank by email").warnings.empty());
}

BOOST_FIXTURE_TEST_CASE(a_pending_confirmation_about_the_subject_raises_it_a_little, acting_team,
  *label("SP_router_risk")) {
  start();
  add(
    as_daemon("clarifier"), draft("pending_confirmation", "Waiting for the flight selection", 0.9));
  BOOST_TEST(to_string(say("Show the flight again").urgency) == "medium");
  BOOST_TEST(to_string(say("Tell me a joke").urgency) == "low");
}

// -- Executor -------------------------------------------------------------------------

namespace {

/// A team with a slow tool, which has an alternative, and lessons about it.
struct taught_team : acting_team {
  taught_team() {
    add_tool({.tool_id = "weather", .timeout_ms = 1'000, .alternatives = {"cache"}},
      {{.latency_ms = 1'500}});
    add_tool({.tool_id = "cache"}).after_last = after_last::repeat;
    start();
  }

  void learn(const std::string& statement, int times) {
    for (int i = 0; i < times; ++i) {
      auto lesson = draft("learning", statement, 0.8, {"recovery"});
      add(as_daemon("reflector"), std::move(lesson));
    }
    advance(std::chrono::seconds{1});
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_call_starts_with_the_longer_timeout_that_a_fact_names, taught_team) {
  learn("weather sometimes times out, retry with a longer timeout helps", 3);
  BOOST_REQUIRE(facts().size() == 1u);
  auto turn = say("What is the weather?", {call("weather")});
  auto used = asked_in(*trace, "use_fact", "executor", turn);
  BOOST_REQUIRE(used.size() == 1u);
  BOOST_TEST(detail_of(used[0], "timeout_ms") == "2000.0");
  BOOST_TEST(detail_of(used[0], "fact_id") == facts().front().fact_id);
  BOOST_TEST(asked_in(*trace, "call_tool", "executor", turn).size() == 1u);
  BOOST_TEST(of_type("error_alert").empty());
}

BOOST_FIXTURE_TEST_CASE(a_call_starts_with_the_stand_in_that_a_fact_names, taught_team) {
  learn("cache can stand in for weather when that times out", 3);
  auto turn = say("What is the weather?", {call("weather")});
  auto used = asked_in(*trace, "use_fact", "executor", turn);
  BOOST_REQUIRE(used.size() == 1u);
  BOOST_TEST(detail_of(used[0], "instead_of") == "weather");
  auto called = asked_in(*trace, "call_tool", "executor", turn);
  BOOST_REQUIRE(called.size() == 1u);
  BOOST_TEST(detail_of(called[0], "tool_id") == "cache");
}

BOOST_FIXTURE_TEST_CASE(a_fact_that_is_not_sure_changes_no_call, taught_team) {
  learn("cache can stand in for weather when that times out", 1);
  auto turn = say("What is the weather?", {call("weather")});
  BOOST_TEST(asked_in(*trace, "use_fact", "executor", turn).empty());
}

namespace {

struct mail_team : acting_team {
  mail_team() {
    add_tool({.tool_id = "send_email"}).after_last = after_last::repeat;
    add_tool({.tool_id = "check_sender", .tags = {"verification"}}).after_last = after_last::repeat;
    start();
  }

  /// The tools that were called, in order.
  std::string calls_of(const turn_result& turn) const {
    std::string result;
    for (const auto& x : asked_in(*trace, "call_tool", "executor", turn))
      result.append(result.empty() ? "" : ", ").append(detail_of(x, "tool_id"));
    return result;
  }

  turn_result answer_mail() {
    return say("Answer that mail", {call("send_email"), call("check_sender")});
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(while_a_confirmation_is_pending_verification_comes_first, mail_team,
  *label("SP_executor_pending")) {
  BOOST_TEST(calls_of(answer_mail()) == "send_email, check_sender");

  auto pending = add(as_daemon("clarifier"),
    draft("pending_confirmation", "Waiting for a word on the e-mail", 0.9, {"email"}))
                   .observation->observation_id;
  auto careful = answer_mail();
  BOOST_TEST(calls_of(careful) == "check_sender, send_email");
  BOOST_TEST(asked_in(*trace, "get_active_observations", "executor", careful).size() == 1u);

  change(pending, to_status(status::resolved));
  BOOST_TEST(calls_of(answer_mail()) == "send_email, check_sender");
}

BOOST_FIXTURE_TEST_CASE(
  observations_change_which_tool_is_used, acting_team, *label("SP_executor_pending")) {
  add_tool({.tool_id = "slow_search"});
  add_tool({.tool_id = "fast_search"});
  start();
  auto advice = draft("action_suggestion", "Prefer fast_search", 0.8);
  advice.metadata = {{"instead_of", "slow_search"}, {"prefer", "fast_search"}};
  add(as_daemon("system_analyzer"), advice);
  say("Find it", {call("slow_search")});
  auto results = of_type("tool_result");
  BOOST_REQUIRE(results.size() == 1u);
  BOOST_TEST(results[0]->source.name == "fast_search");
  BOOST_TEST(traced("prefer_tool") == 1u);
}

// -- Evaluator ------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  what_is_under_review_is_resolved_or_sent_back, acting_team, *label("SP_evaluator_review")) {
  start();
  auto under_review = [&](std::string content, double confidence) {
    auto x = draft("observation", std::move(content), confidence);
    x.status = status::pending_review;
    return add(as_daemon("planner"), std::move(x)).observation->observation_id;
  };
  auto sure = under_review("The booking went through", 0.9);
  auto doubtful = under_review("The invoice may be wrong", 0.4);
  auto turn = say("How is it going?");

  auto asked = asked_in(*trace, "query_observations", "evaluator", turn);
  BOOST_TEST(asked_in(*trace, "read_turn", "evaluator", turn).size() == 1u);
  BOOST_REQUIRE(asked.size() == 1u); // for the observations in pending_review
  BOOST_TEST(
    detail_of(asked[0], "filter").find(R"("status":["pending_review"])") != std::string::npos);
  BOOST_TEST(detail_of(asked[0], "returned") == "2");

  auto resolved = entries_about(*trace, "update_observation", sure);
  BOOST_REQUIRE(resolved.size() == 1u);
  BOOST_TEST(resolved[0].source == "evaluator");
  BOOST_TEST(
    detail_of(resolved[0], "observation").find(R"("status":"resolved")") != std::string::npos);
  auto sent_back = value(ask(host->page(), get_observation{as_daemon("probe"), doubtful}));
  BOOST_REQUIRE(!!sent_back);
  BOOST_TEST(to_string(sent_back->status) == "active");

  BOOST_TEST(to_string(turn.status) == "more_work");
  auto evaluation = of_type("evaluation_result").at(0);
  BOOST_TEST(metadata(evaluation, "outcome") == "more_work");
  BOOST_TEST(evaluation->content.find(doubtful + " was sent back") != std::string::npos);
  BOOST_TEST(evaluation->content.find(sure) == std::string::npos);

  // With nothing left to review the next turn is complete.
  BOOST_TEST(to_string(say("Thank you").status) == "complete");
}

BOOST_FIXTURE_TEST_CASE(
  a_turn_is_routed_however_many_alerts_touch_it, acting_team, *label("SP_router_risk")) {
  start();
  add_observations alarms{as_tool("gauge"), {}};
  for (auto i = 0; i < 900; ++i)
    alarms.drafts.push_back(draft("alert", "About an email of " + std::string(90, 'x'), 0.5));
  value(ask(host->page(), alarms));
  value(ask(host->page(), std::move(alarms)));
  BOOST_TEST(to_string(say("Reply to that email").urgency) == "high");
  BOOST_TEST(of_type("routing_decision").size() == 1u);
}

// -- Reflector ------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  what_is_resolved_is_archived_after_the_turn, acting_team, *label("SP_reflector_archive")) {
  setup.config.page.auto_archive_resolved = false; // then only the Reflector does it
  start();
  auto done =
    add(as_daemon("planner"), draft("reminder", "Call Bob", 0.5)).observation->observation_id;
  auto open =
    add(as_daemon("planner"), draft("reminder", "Call Eve", 0.5)).observation->observation_id;
  change(done, to_status(status::resolved));
  auto turn = say("Anything else?");

  auto asked = asked_in(*trace, "query_observations", "reflector", turn);
  BOOST_TEST(std::any_of(asked.begin(), asked.end(), [](const trace_entry& x) {
    return detail_of(x, "filter").find(R"("status":["resolved"])") != std::string::npos
           && detail_of(x, "returned") == "1";
  }));
  auto archived_by = entries_about(*trace, "clear_resolved", done);
  BOOST_REQUIRE(archived_by.size() == 1u);
  BOOST_TEST(archived_by[0].source == "reflector");
  BOOST_TEST(archived_by[0].turn_id == turn.turn_id);
  auto kept = archived(done);
  BOOST_REQUIRE(!!kept);
  BOOST_TEST(to_string(kept->status) == "archived");
  BOOST_TEST(!archived(open));
  BOOST_TEST(!value(ask(host->page(), get_observation{as_daemon("probe"), done})));
}

BOOST_FIXTURE_TEST_CASE(
  what_comes_up_again_and_again_is_a_pattern, acting_team, *label("SP_reflector_archive")) {
  recorded_response delay;
  delay.observations = {
    {{"type", "observation"}, {"content", "The train is late"}, {"tags", {"train", "late"}}}};
  add_tool({.tool_id = "timetable"}, {delay}).after_last = after_last::repeat;
  start();
  for (int i = 0; i < 2; ++i)
    say("When does the train leave?", {call("timetable")});
  BOOST_TEST(of_type("pattern_detected").empty());
  auto third = say("When does the train leave?", {call("timetable")});
  auto patterns = of_type("pattern_detected");
  BOOST_REQUIRE(patterns.size() == 1u);
  BOOST_TEST(patterns[0]->source.name == "reflector");
  BOOST_TEST(patterns[0]->content.find("has come up in 3 turns") != std::string::npos);

  query_episodes remembered;
  remembered.by = as_daemon("probe");
  remembered.text = "come up in 3 turns";
  auto episodes = value(ask(host->episodes(), remembered)).episodes;
  BOOST_REQUIRE(episodes.size() == 1u);
  BOOST_TEST(episodes[0].turn_id == third.turn_id);
  BOOST_TEST(ids_of(episodes[0].observations).contains(patterns[0]->observation_id));
}

// -- Clarifier ------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(an_ambiguous_input_is_asked_about_until_it_is_answered, acting_team,
  *label("SP_clarifier_pending")) {
  start();
  auto unclear = say("Book that one");
  BOOST_TEST(to_string(unclear.status) == "waiting");
  auto pending = of_type("pending_confirmation");
  BOOST_REQUIRE(pending.size() == 1u);
  BOOST_TEST(pending[0]->source.name == "clarifier");
  BOOST_TEST(pending[0]->owner == "user");
  BOOST_TEST(to_string(pending[0]->status) == "active");
  BOOST_REQUIRE(unclear.questions.size() == 1u);
  BOOST_TEST(unclear.questions[0] == pending[0]->content);
  BOOST_TEST(unclear.response == pending[0]->content);

  auto back = say("Why do you ask?"); // a question does not answer one
  BOOST_TEST(of_type("pending_confirmation").size() == 1u);

  auto clear = say("The flight to Paris at nine");
  BOOST_TEST(to_string(clear.status) == "complete");
  BOOST_TEST(of_type("pending_confirmation").empty());
  auto updates = entries_about(*trace, "update_observation", pending[0]->observation_id);
  BOOST_REQUIRE(updates.size() == 1u);
  BOOST_TEST(updates[0].source == "ann"); // the user gave the answer
  BOOST_TEST(updates[0].turn_id == clear.turn_id);
  auto answered = archived(pending[0]->observation_id);
  BOOST_REQUIRE(!!answered);
  BOOST_TEST(metadata(answered, "answer") == "The flight to Paris at nine");
}

BOOST_FIXTURE_TEST_CASE(
  a_call_that_lacks_an_input_is_asked_about, acting_team, *label("SP_clarifier_pending")) {
  add_tool({.tool_id = "book_flight",
    .inputs = {{"type", "object"}, {"required", {"city", "departure_date"}}}});
  start();
  auto turn = say("Book a flight to Paris", {call("book_flight", {{"city", "Paris"}}, "book")});
  BOOST_TEST(to_string(turn.status) == "waiting");
  auto pending = of_type("pending_confirmation");
  BOOST_REQUIRE(pending.size() == 1u);
  BOOST_TEST(pending[0]->content == "What departure date should book_flight use? (departure_date)");
  BOOST_TEST(metadata(pending[0], "call_id") == "book");
  BOOST_TEST(metadata(pending[0], "field") == "departure_date");
  BOOST_TEST(entries_of(*trace, "call_tool").empty()); // no call without the input
}

} // namespace scratchpage::test
