#define BOOST_TEST_MODULE consent_hearing
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/daemons/consent_hearing.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

/// consent_hearing: which questions an input answers, what it reports about the answers, and which
/// calls they allow.

namespace scratchpage::test {

namespace {

using ids = std::vector<std::string>;

const consent_policy& policy() {
  static const consent_policy result{{.affirmations = {"yes"},
    .fillers = {},
    .refusals = {"no"},
    .deferrals = {},
    .negations = {},
    .within_turns = 1,
    .ttl_minutes = 60}};
  return result;
}

observation said(std::string id, std::string content, json::object context = {}) {
  auto x = seen(std::move(id), "user_input", std::move(content));
  x.source = {source_kind::user, "ann", "turn_9", {}};
  x.context = std::move(context);
  x.context["thread_id"] = "main";
  return x;
}

/// The input that led to the questions of `question`.
observation first_input() {
  auto x = said("obs_001", "Pay the rent");
  x.source.turn_id = "turn_1";
  return x;
}

/// An input of Ann's that confirms and declines questions by their ids.
observation naming(const ids& confirmed, const ids& declined = {}) {
  json::object context;
  if (!confirmed.empty())
    context["confirms"] = json::array(confirmed.begin(), confirmed.end());
  if (!declined.empty())
    context["declines"] = json::array(declined.begin(), declined.end());
  return said("obs_900", "As I clicked", std::move(context));
}

/// The Executor's question to Ann whether the tool may be used.
observation_ptr question(std::string id, const std::string& tool, json::object inputs = {}) {
  auto wanted = call("call_1", tool);
  wanted.inputs = std::move(inputs);
  auto draft = draft_of({wanted, "ann", ""}, "it costs money", {}, 60);
  auto x = seen(std::move(id), draft.type, draft.content, draft.tags);
  x.context["thread_id"] = "main";
  x.metadata = draft.metadata;
  x.expires_at = timestamp{std::chrono::hours{1}};
  return observation_ptr{std::move(x)};
}

struct hearing_fixture {
  consent_hearing hearing;

  /// Hears the input and settles each answer. Returns them as "ID:ANSWER ID:ANSWER".
  std::string hear(const observation& input) {
    hearing.hear(policy(), input);
    std::string result;
    while (auto next = hearing.next_answer()) {
      result.append(result.empty() ? "" : " ")
        .append(next->asked->observation_id)
        .append(":")
        .append(name_of(next->said));
      if (next->said != consent::in_doubt)
        hearing.take(*next);
    }
    return result;
  }

  std::string unheard() {
    auto told = hearing.tell_unheard();
    return told ? told->content : "";
  }

  ids all_named() {
    ids result;
    while (auto id = hearing.next_named())
      result.push_back(std::move(*id));
    return result;
  }

  static call_plan plan(std::vector<planned_call> calls) {
    auto result = call_plan::make(std::move(calls));
    BOOST_REQUIRE(static_cast<bool>(result));
    return std::move(*result);
  }

  ids replaced_by(
    const std::string& tool, const std::string& user = "ann", const std::string& planned_by = "") {
    ids result;
    for (const auto& x :
      hearing.replaced_by({call("call_7", tool), user, "", planned_by}, said("obs_900", "Hello")))
      result.push_back(x->observation_id);
    return result;
  }
};

} // namespace

// -- which questions ------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(questions_that_are_named_are_read_once, hearing_fixture) {
  hearing.begin(naming({"obs_003", "obs_001", "obs_003"}, {"obs_002", "obs_001"}));
  BOOST_TEST(
    all_named() == (ids{"obs_001", "obs_002", "obs_003"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(what_is_known_is_not_read_again, hearing_fixture) {
  hearing.begin(naming({"obs_001", "obs_002", "obs_003"}));
  hearing.add_questions({question("obs_001", "pay"), question("obs_003", "fly")});
  BOOST_TEST(all_named() == ids{"obs_002"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(only_the_executors_questions_for_consent_count, hearing_fixture) {
  auto other = observation_ptr{seen("obs_001", "pending_confirmation", "Is it warm enough?")};
  hearing.add_questions({observation_ptr{}, other});
  BOOST_TEST(!hearing.has_questions());
  hearing.add_questions({question("obs_002", "pay")});
  BOOST_TEST(hearing.has_questions());
}

// -- answers ----------------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(each_question_has_the_answer_that_names_it, hearing_fixture) {
  auto input = naming({"obs_001"}, {"obs_003"});
  hearing.begin(input);
  hearing.add_questions(
    {question("obs_001", "pay"), question("obs_002", "fly"), question("obs_003", "book")});
  BOOST_TEST(hear(input) == "obs_001:granted obs_003:declined");
  BOOST_TEST(hearing.allows_calls());
  BOOST_TEST(unheard() == "");
}

BOOST_FIXTURE_TEST_CASE(a_call_that_was_declined_is_told_of, hearing_fixture) {
  auto told = hearing.take({question("obs_001", "pay"), consent::declined});
  BOOST_REQUIRE(told.has_value());
  BOOST_TEST(told->type == "constraint_check");
  BOOST_TEST(told->content == "pay is not used: the user declined");
  BOOST_TEST(told->metadata.at("verdict").as_string() == "declined");
  BOOST_TEST(told->metadata.at("confirmation_id").as_string() == "obs_001");
  BOOST_TEST(!hearing.allows_calls());
  BOOST_TEST(!hearing.take({question("obs_001", "pay"), consent::granted}).has_value());
  BOOST_TEST(hearing.allows_calls());
}

BOOST_FIXTURE_TEST_CASE(words_answer_what_was_asked_lately, hearing_fixture) {
  auto first = first_input();
  auto asked = question("obs_002", "pay");
  auto input = said("obs_003", "yes");
  hearing.begin(input);
  hearing.add_questions({asked});
  hearing.note_questions_of_all({asked});
  hearing.note_inputs({observation_ptr{first}, observation_ptr{input}});
  BOOST_TEST(hearing.needs_history_since(policy(), input).has_value());
  hearing.note_questions_gone(std::vector<observation_ptr>{});
  BOOST_TEST(hear(input) == "obs_002:granted");
}

BOOST_FIXTURE_TEST_CASE(words_are_in_doubt_if_not_all_questions_are_known, hearing_fixture) {
  auto first = first_input();
  auto asked = question("obs_002", "pay");
  auto input = said("obs_003", "yes");
  hearing.begin(input);
  hearing.add_questions({asked});
  hearing.note_questions_of_all({asked});
  hearing.note_inputs({observation_ptr{first}, observation_ptr{input}});
  hearing.note_questions_gone(std::nullopt);
  BOOST_TEST(hear(input) == "obs_002:in_doubt");
  hearing.note_asked_again(question("obs_004", "pay"));
  hearing.end();
  BOOST_TEST(!hearing.allows_calls());
  BOOST_TEST(replaced_by("pay") == ids{"obs_004"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_question_that_has_left_the_page_may_be_meant_as_well, hearing_fixture) {
  auto asked = question("obs_002", "pay");
  auto gone = *question("obs_003", "mail");
  gone.source.turn_id = "turn_2";
  auto input = said("obs_004", "yes");
  hearing.begin(input);
  hearing.add_questions({asked});
  hearing.note_questions_of_all({asked});
  hearing.note_inputs({observation_ptr{first_input()}, observation_ptr{input}});
  hearing.note_questions_gone(std::vector<observation_ptr>{observation_ptr{gone}});
  BOOST_TEST(hear(input) == "obs_002:in_doubt");
}

BOOST_FIXTURE_TEST_CASE(
  words_stay_in_doubt_if_the_page_did_not_name_all_questions, hearing_fixture) {
  auto asked = question("obs_002", "pay");
  auto input = said("obs_003", "yes");
  hearing.begin(input);
  hearing.add_questions({asked});
  hearing.note_questions_of_all({});
  hearing.note_inputs({observation_ptr{first_input()}, observation_ptr{input}});
  hearing.note_questions_gone(std::vector<observation_ptr>{asked});
  BOOST_TEST(hear(input) == "obs_002:in_doubt");
}

BOOST_FIXTURE_TEST_CASE(inputs_that_have_left_the_page_count_as_well, hearing_fixture) {
  auto asked = question("obs_002", "pay");
  auto input = said("obs_004", "yes");
  hearing.begin(input);
  hearing.add_questions({asked});
  hearing.note_questions_of_all({asked});
  hearing.note_inputs({observation_ptr{input}});
  BOOST_TEST(!hearing.needs_history_since(policy(), input).has_value());
  hearing.note_inputs_gone(std::vector<observation_ptr>{observation_ptr{first_input()}});
  BOOST_TEST(hear(input) == "obs_002:granted");
}

BOOST_FIXTURE_TEST_CASE(an_input_that_left_the_page_meanwhile_counts_once, hearing_fixture) {
  auto asked = question("obs_002", "pay");
  auto input = said("obs_004", "yes");
  auto first = observation_ptr{first_input()};
  hearing.begin(input);
  hearing.add_questions({asked});
  hearing.note_questions_of_all({asked});
  hearing.note_inputs({first, observation_ptr{input}});
  hearing.note_inputs_gone(std::vector<observation_ptr>{first, first});
  BOOST_TEST(hear(input) == "obs_002:granted");
}

BOOST_FIXTURE_TEST_CASE(words_are_in_doubt_if_not_all_inputs_are_known, hearing_fixture) {
  auto asked = question("obs_002", "pay");
  auto input = said("obs_004", "yes");
  hearing.begin(input);
  hearing.add_questions({asked});
  hearing.note_questions_of_all({asked});
  hearing.note_inputs({observation_ptr{first_input()}, observation_ptr{input}});
  hearing.note_inputs_gone(std::nullopt);
  BOOST_TEST(hear(input) == "obs_002:in_doubt");
}

// -- ignored answers --------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(an_answer_to_what_is_no_open_question_is_not_taken, hearing_fixture) {
  auto input = naming({"obs_001", "obs_002"});
  hearing.begin(input);
  hearing.add_questions({question("obs_001", "pay")});
  BOOST_TEST(hear(input) == "obs_001:granted");
  BOOST_TEST(unheard()
             == "The answer to obs_002 was not taken: it has to be given while the question is "
                "open, by the person who was asked or by the owner of the agents");
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_came_too_late_is_not_taken, hearing_fixture) {
  auto input = naming({"obs_001"});
  hearing.begin(input);
  hearing.add_questions({question("obs_001", "pay")});
  hearing.hear(policy(), input);
  auto next = hearing.next_answer();
  BOOST_REQUIRE(next.has_value());
  BOOST_TEST(unheard() == "");
  hearing.note_too_late(*next);
  BOOST_TEST(unheard().starts_with("The answer to obs_001 was not taken"));
}

BOOST_FIXTURE_TEST_CASE(an_input_that_is_delivered_again_was_heard, hearing_fixture) {
  auto input = naming({"obs_001"});
  auto answered = *question("obs_001", "pay");
  answered.status = status::resolved;
  answered.metadata["answer_id"] = input.observation_id;
  hearing.begin(input);
  hearing.add_questions({observation_ptr{answered}});
  BOOST_TEST(hear(input) == "");
  BOOST_TEST(unheard() == "");
}

BOOST_FIXTURE_TEST_CASE(only_so_many_are_named_that_were_not_heard, hearing_fixture) {
  ids many;
  for (int i = 1; i <= 9; ++i)
    many.push_back("obs_00" + std::to_string(i));
  auto input = naming(many);
  hearing.begin(input);
  hear(input);
  BOOST_TEST(unheard().starts_with("The answer to obs_001, obs_002, obs_003, obs_004, obs_005, "
                                   "obs_006, obs_007, obs_008 and 1 more was not taken"));
}

BOOST_FIXTURE_TEST_CASE(words_that_come_too_late_are_told_how_to_answer, hearing_fixture) {
  auto asked = question("obs_002", "pay");
  auto between = said("obs_003", "How warm is it?");
  auto input = said("obs_004", "yes");
  hearing.begin(input);
  hearing.add_questions({asked});
  hearing.note_questions_of_all({asked});
  hearing.note_inputs(
    {observation_ptr{first_input()}, observation_ptr{between}, observation_ptr{input}});
  BOOST_TEST(hear(input) == "");
  BOOST_TEST(unheard() == "");
  auto told = hearing.tell_waiting();
  BOOST_REQUIRE(told.has_value());
  BOOST_TEST(told->content.starts_with("These words were not taken as an answer to obs_002: "));
}

BOOST_FIXTURE_TEST_CASE(words_that_were_taken_are_not_told_of, hearing_fixture) {
  auto asked = question("obs_002", "pay");
  auto input = said("obs_004", "yes");
  hearing.begin(input);
  hearing.add_questions({asked});
  hearing.note_questions_of_all({asked});
  hearing.note_inputs({observation_ptr{first_input()}, observation_ptr{input}});
  BOOST_TEST(hear(input) == "obs_002:granted");
  BOOST_TEST(!hearing.tell_waiting().has_value());
}

// -- calls ------------------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_call_that_was_agreed_to_joins_the_plan, hearing_fixture) {
  hearing.take({question("obs_001", "pay"), consent::granted});
  auto of_turn = plan({call("call_1", "weather")});
  hearing.resume_in(of_turn);
  BOOST_REQUIRE(hearing.resumed().size() == 1u);
  const auto& resumed = hearing.resumed().front();
  BOOST_TEST(resumed.tool_id == "pay");
  BOOST_TEST(of_turn.calls().size() == 2u);
  const auto* confirmed = hearing.confirmation_of(resumed);
  BOOST_REQUIRE(confirmed != nullptr);
  BOOST_TEST(confirmed->question_id == "obs_001");
  BOOST_TEST(hearing.confirmation_of(*of_turn.find("call_1")) == nullptr);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_was_planned_again_is_made_once, hearing_fixture) {
  hearing.take({question("obs_001", "pay"), consent::granted});
  hearing.take({question("obs_002", "pay"), consent::granted});
  auto of_turn = plan({call("again", "pay")});
  hearing.resume_in(of_turn);
  BOOST_REQUIRE(hearing.confirmation_of(*of_turn.find("again")) != nullptr);
  BOOST_TEST(hearing.confirmation_of(*of_turn.find("again"))->question_id == "obs_001");
  BOOST_TEST(of_turn.calls().size() == 2u); // the user has agreed to two calls
  BOOST_TEST(hearing.resumed().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(consent_is_for_one_tool_with_the_inputs_that_were_shown, hearing_fixture) {
  hearing.take({question("obs_001", "pay", {{"amount", 100}}), consent::granted});
  auto of_turn = plan({});
  hearing.resume_in(of_turn);
  auto resumed = hearing.resumed().front();
  BOOST_TEST(hearing.confirmation_of(resumed) != nullptr);
  auto more = resumed;
  more.inputs["amount"] = 200;
  BOOST_TEST(hearing.confirmation_of(more) == nullptr);
  resumed.tool_id = "wire";
  BOOST_TEST(hearing.confirmation_of(resumed) == nullptr);
}

BOOST_FIXTURE_TEST_CASE(an_older_question_about_the_same_call_is_replaced, hearing_fixture) {
  hearing.add_questions({question("obs_001", "pay"), question("obs_002", "fly")});
  auto elsewhere = *question("obs_003", "pay");
  elsewhere.context["thread_id"] = "other";
  hearing.add_questions({observation_ptr{elsewhere}});
  hearing.hear(policy(), said("obs_900", "Pay the rent again"));
  hearing.end();
  BOOST_TEST(replaced_by("pay") == ids{"obs_001"}, boost::test_tools::per_element());
  BOOST_TEST(replaced_by("pay", "ben").empty());
}

BOOST_FIXTURE_TEST_CASE(what_somebody_asks_for_replaces_no_question_of_the_user, hearing_fixture) {
  auto relayed = *question("obs_002", "pay");
  relayed.metadata["planned_by"] = "helper";
  hearing.add_questions({question("obs_001", "pay"), observation_ptr{relayed}});
  hearing.hear(policy(), said("obs_900", "Pay the rent again"));
  hearing.end();
  BOOST_TEST(
    replaced_by("pay", "ann", "helper") == ids{"obs_002"}, boost::test_tools::per_element());
  BOOST_TEST(replaced_by("pay", "ann", "other").empty());
  BOOST_TEST(replaced_by("pay") == (ids{"obs_001", "obs_002"}), boost::test_tools::per_element());
}

} // namespace scratchpage::test
