#include <boost/test/unit_test.hpp>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/tests/scenarios/daemons/careful_team.hpp"

/// Whatever agents do to questions, they can neither forge an answer of the user nor suppress one.

namespace scratchpage::test {

namespace {

caller agent_outside() {
  auto result = as_daemon("assistant");
  result.outside = true;
  return result;
}

/// An agent that, at each input, changes the lifetime of a question a hundred times.
class restless_agent {
public:
  using handle = subscriber_actor;
  static constexpr const char* name = "restless_agent";

  restless_agent(handle::pointer self, scratch_page_actor page, std::string question)
    : self_{self},
      page_{std::move(page)},
      question_{std::move(question)} {}

  handle::behavior_type make_behavior() {
    subscribe order{agent_outside(), handle{self_}, {}, {}, false};
    order.filter.type = {"user_input"};
    ask(self_, page_, caf::infinite, std::move(order))
      .then([](uint64_t) {}, [](const caf::error&) {});
    return {[this](event_batch&) -> caf::result<void> {
      change(100);
      return caf::unit;
    }};
  }

private:
  void change(int times) {
    if (times == 0)
      return;
    update_observation request{
      .by = agent_outside(), .observation_id = question_, .changes = {}, .expected_revision = {}};
    request.changes.ttl_minutes = 60 + times;
    ask(self_, page_, caf::infinite, std::move(request))
      .then([this, times](const receipt&) { change(times - 1); }, [](const caf::error&) {});
  }

  handle::pointer self_;
  scratch_page_actor page_;
  std::string question_;
};

/// A team that has asked Ann whether it may call `pay`, with helpers for answers.
struct answering_team : asked_team {
  std::string wonder(observation_draft x) {
    return add(agent_outside(), std::move(x)).observation->observation_id;
  }

  void check_that_a_yes_is_in_doubt() {
    auto turn = say("Yes");
    BOOST_TEST(calls().empty());
    BOOST_TEST(to_string(turn.status) == "waiting");
    say("Yes, pay");
    BOOST_TEST(calls() == "pay");
  }

  void resolve(const std::string& id) {
    update_observation request{
      .by = agent_outside(), .observation_id = id, .changes = {}, .expected_revision = {}};
    request.changes.status = status::resolved;
    value(ask(host->page(), std::move(request)));
  }

  turn_result click(const char* key, json::value id) {
    return say_as("ann", "Yes", {}, {{key, std::move(id)}});
  }
};

/// As `answering_team`, and an agent has asked another question in the same thread.
struct beside_team : answering_team {
  std::string other = wonder(in_main("Is the room warm enough?"));
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(answers_of_the_user, answering_team)

BOOST_FIXTURE_TEST_CASE(a_yes_is_in_doubt_beside_a_question_that_was_taken_back, beside_team) {
  auto gone = ask(host->page(), archive_observation{agent_outside(), other});
  BOOST_REQUIRE(gone);
  check_that_a_yes_is_in_doubt();
}

BOOST_FIXTURE_TEST_CASE(a_yes_is_in_doubt_beside_a_question_that_its_asker_resolved, beside_team) {
  resolve(other);
  check_that_a_yes_is_in_doubt();
}

BOOST_AUTO_TEST_CASE(a_yes_is_in_doubt_beside_a_question_that_has_expired) {
  auto x = in_main("Is the window open?");
  x.ttl_minutes = 1;
  auto brief = wonder(std::move(x));
  advance(std::chrono::minutes{2});
  BOOST_REQUIRE(to_string(settled(brief)->status) == "expired");
  check_that_a_yes_is_in_doubt();
}

BOOST_AUTO_TEST_CASE(a_yes_is_in_doubt_beside_a_question_in_a_thread_that_looks_the_same) {
  auto x = in_main("Is the window open?");
  x.context["thread_id"] = "Main ";
  wonder(std::move(x));
  check_that_a_yes_is_in_doubt();
}

BOOST_FIXTURE_TEST_CASE(
  a_plain_yes_counts_once_it_was_asked_again_after_a_question_that_has_gone, beside_team) {
  BOOST_REQUIRE(ask(host->page(), archive_observation{agent_outside(), other}));
  say("Yes");
  BOOST_TEST(calls().empty());
  say("Yes");
  BOOST_TEST(calls() == "pay");
}

BOOST_AUTO_TEST_CASE(a_click_is_heard_while_another_agent_changes_the_question) {
  make<restless_agent>(host->page(), question);
  settle();
  auto turn = click("confirms", json::value{question});
  BOOST_TEST(calls() == "pay");
  BOOST_TEST(to_string(turn.status) == "complete");
  auto answered = settled(question);
  BOOST_TEST(answered->revision > 2u); // the agent changed it before the answer
  BOOST_TEST(metadata(answered, "outcome") == "granted");
  BOOST_TEST(metadata(answered, "answered_by") == "ann");
}

BOOST_AUTO_TEST_CASE(a_refusal_is_heard_while_another_agent_changes_the_question) {
  make<restless_agent>(host->page(), question);
  settle();
  click("declines", json::value{question});
  BOOST_TEST(calls().empty());
  BOOST_TEST(metadata(settled(question), "outcome") == "declined");
}

BOOST_AUTO_TEST_CASE(a_click_is_heard_however_many_questions_were_asked_since) {
  auto later = draft_of({call("refund", {}, "c"), "bob", ""}, "it costs money", {}, 60);
  later.context["thread_id"] = "main";
  for (int i = 0; i < 1'000; ++i)
    add(as_daemon("executor"), later);
  for (int i = 0; i < 10; ++i)
    add(as_tool("executor"), in_main("Is it " + std::to_string(i) + "?"));
  click("confirms", json::value{question});
  BOOST_TEST(calls() == "pay");
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_not_heard_is_told_in_the_turns_answer) {
  resolve(question);
  auto turn = click("confirms", json::value{question});
  BOOST_TEST(calls().empty());
  BOOST_TEST(to_string(turn.status) == "more_work");
  BOOST_TEST(
    turn.response.find("The answer to " + question + " was not taken") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(whoever_answers_for_somebody_else_is_told_that_it_does_not_count) {
  auto turn = say_as("bob", "No", {}, {{"declines", json::array{question, "obs_\xE2\x80\xAE_7"}}});
  BOOST_TEST(!!pending());
  BOOST_TEST(turn.response.find(question + ", obs_\\u{202e}_7 was not taken") != std::string::npos,
    turn.response);
}

// -- whose answer it is, and to what -------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(an_answer_is_kept_as_the_word_of_whoever_gave_it, careful_team) {
  start();
  for (auto is_relayed_first : {false, true}) {
    auto id = add(agent_outside(), in_main("Shall I book the flight?")).observation->observation_id;
    begin_turn own;
    own.thread_id = "main";
    own.user_id = "ann";
    own.mode = turn_mode::parallel;
    auto relayed = own;
    own.by = as_user("ann");
    own.input = "No";
    own.context["answers"] = id;
    relayed.by = agent_outside();
    relayed.input = "Yes";
    auto first = send(host->turns(), is_relayed_first ? relayed : own);
    auto second = send(host->turns(), is_relayed_first ? own : relayed);
    settle();
    while (!(first->arrived() && second->arrived()) && driver.advance_to_next_deadline()) {
    }
    auto answered = settled(id);
    BOOST_REQUIRE((answered && answered->resolved_by));
    auto is_hers = answered->resolved_by->relayed_by.empty();
    BOOST_TEST(metadata(answered, "answer") == (is_hers ? "No" : "Yes"));
  }
}

BOOST_AUTO_TEST_CASE(words_that_answer_nothing_are_told_in_the_turns_answer) {
  say("It is a fine day");
  for (const auto* words : {"Yes", "No", "Yes, pay"}) {
    auto turn = say(words);
    BOOST_TEST(calls().empty());
    BOOST_TEST(!!pending());
    BOOST_TEST(to_string(turn.status) == "more_work", words);
    BOOST_TEST(turn.response.find("not taken as an answer to " + question) != std::string::npos,
      turn.response);
  }
}

BOOST_AUTO_TEST_CASE(words_that_answer_another_question_are_not_told_as_lost) {
  say("It is a fine day");
  add(as_tool("thermostat"), in_main("Is the room warm enough?"));
  auto turn = say("Yes");
  BOOST_TEST(to_string(turn.status) == "complete");
  BOOST_TEST(!!pending());
}

BOOST_AUTO_TEST_CASE(words_reach_no_further_back_when_later_inputs_were_archived) {
  say("It is a fine day");
  auto later = of_type("user_input").front();
  BOOST_REQUIRE(later->content == "It is a fine day");
  BOOST_REQUIRE(ask(host->page(), archive_observation{agent_outside(), later->observation_id}));
  say("Yes");
  BOOST_TEST(calls().empty());
}

BOOST_AUTO_TEST_CASE(words_reach_no_further_back_when_later_inputs_were_resolved) {
  say("It is a fine day");
  resolve(of_type("user_input").front()->observation_id);
  say("Yes");
  BOOST_TEST(calls().empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
