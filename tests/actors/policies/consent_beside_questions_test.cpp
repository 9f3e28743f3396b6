#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/tests/actors/policies/consent_talk.hpp"

/// consent_policy with several open questions: which of them an answer in words belongs to.

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(consent_beside_other_questions)

// -- beside other questions -----------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(is_not_a_word_that_may_answer_a_later_question_of_another, asked_once) {
  wonder();
  BOOST_TEST(answers("Yes") == "in_doubt");
  auto instead = [&](std::string words) {
    return answers(changed(inputs.back(), [&](observation& x) { x.content = words; }));
  };
  BOOST_TEST(instead("No") == "in_doubt");
  BOOST_TEST(instead("The morning flight") == "open"); // no reason to ask again
}

BOOST_FIXTURE_TEST_CASE(may_be_a_word_that_names_the_tool_beside_another_question, asked_once) {
  ask("send_mail");
  wonder();
  BOOST_TEST(answers("Yes, pay") == "granted open");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_question_that_names_no_thread, asked_once) {
  wonder("Is the room warm enough?", "", {});
  BOOST_TEST(answers("Yes") == "in_doubt");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_what_was_asked_in_the_same_turn, talk) {
  say("Pay the rent");
  wonder("Is the room warm enough?", "turn_1", {{"thread_id", "main"}});
  ask("pay");
  BOOST_TEST(answers("Yes") == "in_doubt");
}

BOOST_FIXTURE_TEST_CASE(
  is_meant_if_the_ensemble_asked_another_user_the_other_question, asked_once) {
  auto asked_of = [&](const char* user, const char* by) {
    others = {changed(wonder("What does it refer to?"), [&](observation& x) {
      x.source = {source_kind::daemon, by, "turn_1", {}};
      x.context["user_id"] = user;
    })};
  };
  asked_of("bob", "clarifier");
  auto yes = say("Yes");
  BOOST_TEST(answers(yes) == "granted");
  asked_of("bob", "assistant"); // may have asked ann, although it names bob
  others = {changed(others[0], [](observation& x) { x.observation_id = "obs_102"; })};
  BOOST_TEST(answers(yes) == "in_doubt");
}

// -- beside other questions for consent ------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(is_given_by_its_id_alone_to_what_somebody_asked_for_in_ones_name, talk) {
  relay("x");
  ask("pay");
  for (const auto* words : {"Yes", "Yes, pay", "No", "No, pay"}) {
    BOOST_TEST(answers(words) == "open");
    inputs.pop_back();
  }
  auto click =
    changed(say("Yes"), [&](observation& x) { x.context["confirms"] = asked[0]->observation_id; });
  BOOST_TEST(answers(click) == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_given_in_relayed_words_only_where_relays_are_trusted, talk) {
  auto config = default_config().consent;
  config.trust_relay = true;
  relay("Pay the rent");
  ask("pay");
  auto yes = relay("Yes");
  BOOST_TEST(answers(yes) == "open");
  auto said = consent_policy{config}.answers(*yes, asked, inputs, questions());
  BOOST_TEST(to_string(said.at(0)) == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_later_question_for_consent, asked_once) {
  relay("x");
  ask("refund");
  BOOST_TEST(answers("Yes") == "in_doubt open");
  inputs.pop_back();
  BOOST_TEST(answers("No") == "in_doubt open");
  inputs.pop_back();
  BOOST_TEST(answers("Yes, pay") == "granted open");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_an_earlier_question_for_consent_that_is_open, talk) {
  relay("x");
  auto earlier = ask("refund");
  say("Pay the rent");
  ask("pay");
  auto yes = say("Yes");
  BOOST_TEST(answers(yes) == "open in_doubt");
  asked.erase(asked.begin());
  others = {changed(earlier, [](observation& x) { x.status = status::archived; })};
  BOOST_TEST(answers(yes) == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_later_question_for_consent_that_has_gone, asked_once) {
  relay("x");
  ask("refund");
  others = {changed(asked.back(), [](observation& x) { x.status = status::archived; })};
  asked.pop_back();
  BOOST_TEST(answers("Yes") == "in_doubt");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_though_it_names_the_tool_if_two_turns_ask_for_it, asked_once) {
  relay("x");
  ask("pay", {{"amount", 9'000}});
  BOOST_TEST(answers("Yes, pay") == "in_doubt open");
  inputs.pop_back();
  BOOST_TEST(answers("No, pay") == "in_doubt open");
}

BOOST_FIXTURE_TEST_CASE(is_for_every_call_of_a_tool_that_one_turn_asks_for, asked_once) {
  ask("pay", {{"amount", 200}});
  BOOST_TEST(answers("Yes, pay") == "granted granted");
}

BOOST_FIXTURE_TEST_CASE(is_not_for_a_tool_whose_name_begins_another_that_is_named, talk) {
  say("Erase the folder");
  ask("store.erase");
  relay("x");
  ask("store.erase_all");
  BOOST_TEST(answers("Yes, store.erase_all") == "open open");
  inputs.pop_back();
  BOOST_TEST(answers("Yes, store.erase") == "granted open");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_between_two_turns_however_far_words_reach_back, asked_once) {
  auto config = default_config().consent;
  config.within_turns = 2;
  say("And the gas");
  ask("pay", {{"amount", 200}});
  for (const auto* words : {"Yes", "Yes, pay"}) {
    auto said = consent_policy{config}.answers(*say(words), asked, inputs, questions());
    inputs.pop_back();
    BOOST_TEST(to_string(said.at(0)) == "in_doubt", words);
    BOOST_TEST(to_string(said.at(1)) == "in_doubt", words);
  }
}

BOOST_FIXTURE_TEST_CASE(is_not_kept_from_being_heard_by_what_is_said_in_ones_name, asked_once) {
  relay("x");
  BOOST_TEST(answers("No, pay") == "declined");
  inputs.pop_back();
  BOOST_TEST(answers("Yes") == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_given_for_its_time_however_long_the_question_lives, asked_once) {
  asked = {changed(
    asked[0], [](observation& x) { x.expires_at = x.created_at + std::chrono::hours{9'000}; })};
  auto yes_after = [&](std::chrono::minutes time) {
    return answers(
      changed(say("Yes"), [&](observation& x) { x.created_at = asked[0]->created_at + time; }));
  };
  BOOST_TEST(yes_after(std::chrono::minutes{1'440}) == "open");
  inputs.pop_back();
  BOOST_TEST(yes_after(std::chrono::minutes{1'439}) == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_said_to_be_missing_where_words_answer_nothing, asked_once) {
  relay("x");
  ask("refund");
  say("How are you?");
  auto waiting = [&](const observation_ptr& input) {
    return listed(policy().left_waiting(*input, asked, questions()));
  };
  auto both = asked[0]->observation_id + " " + asked[1]->observation_id;
  BOOST_TEST(waiting(say("Yes")) == both);
  BOOST_TEST(waiting(say("No, refund")) == asked[1]->observation_id);
  BOOST_TEST(waiting(say("The morning flight")).empty());
  BOOST_TEST(waiting(say("Yes", "bob")).empty());
  BOOST_TEST(waiting(relay("Yes")).empty());
  wonder();
  BOOST_TEST(waiting(say("Yes")).empty()); // it answers the thermostat's question
  BOOST_TEST(waiting(say("Yes, refund")) == asked[1]->observation_id);
}

BOOST_FIXTURE_TEST_CASE(is_not_in_words_to_a_question_that_a_person_names, asked_once) {
  auto named = [](observation& x) { x.context["answers"] = "obs_7"; };
  auto yes = changed(say("Yes"), named);
  BOOST_TEST(answers(yes) == "open");
  BOOST_TEST(!policy().speaks_to(*yes, *asked[0], questions()));
}

BOOST_FIXTURE_TEST_CASE(is_meant_if_the_other_question_is_of_an_earlier_turn, talk) {
  say("Hello");
  wonder("Is the room warm enough?", "turn_1", {{"thread_id", "main"}});
  say("Pay the rent");
  ask("pay");
  BOOST_TEST(answers("Yes") == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_meant_if_the_other_question_is_not_there_for_the_user, asked_once) {
  wonder("Is the room warm enough?", "", {{"thread_id", "other"}});
  auto yes = say("Yes");
  wonder(); // asked after her answer
  BOOST_TEST(answers(yes) == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_question_that_the_same_words_resolved, asked_once) {
  auto question = wonder();
  auto yes = say("Yes");
  auto resolved_in = [&](std::string turn) {
    others = {changed(question, [&](observation& x) {
      x.status = status::resolved;
      x.resolved_by = source{source_kind::user, "ann", turn, yes->created_at};
    })};
    return answers(yes);
  };
  BOOST_TEST(resolved_in(yes->source.turn_id) == "in_doubt");
  BOOST_TEST(resolved_in("") == "in_doubt");
  BOOST_TEST(resolved_in("turn_1") == "granted"); // resolved in an earlier turn
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_question_that_left_the_page_unanswered, asked_once) {
  auto question = wonder();
  auto yes = say("Yes");
  for (auto left_as : {status::archived, status::expired, status::evicted, status::resolved}) {
    others = {changed(question, [&](observation& x) { x.status = left_as; })};
    BOOST_TEST(answers(yes) == "in_doubt", to_string(left_as));
  }
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_question_that_somebody_else_resolved, asked_once) {
  auto question = wonder();
  auto yes = say("Yes");
  auto resolved_by = [&](source who) {
    others = {changed(question, [&](observation& x) {
      x.status = status::archived;
      x.resolved_by = std::move(who);
    })};
    return answers(yes);
  };
  BOOST_TEST(resolved_by({source_kind::daemon, "assistant", "", {}}) == "in_doubt");
  BOOST_TEST(resolved_by({source_kind::user, "bob", "turn_1", {}}) == "in_doubt");
  BOOST_TEST(resolved_by({source_kind::user, "ann", "turn_1", {}, "assistant"}) == "in_doubt");
  BOOST_TEST(resolved_by({source_kind::user, "ann", "turn_1", {}}) == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_beside_a_question_in_a_thread_that_looks_the_same, asked_once) {
  auto question = wonder();
  auto yes = say("Yes");
  for (auto thread : {"main ", " main", "Main", "ma\xE2\x80\x8Bin"}) {
    others = {changed(question, [&](observation& x) { x.context["thread_id"] = thread; })};
    BOOST_TEST(answers(yes) == "in_doubt", thread);
  }
}

BOOST_FIXTURE_TEST_CASE(
  is_not_in_doubt_beside_a_question_whose_thread_no_turn_can_have, asked_once) {
  std::string thread = "main";
  while (thread.size() <= reading_limits::id_bytes)
    thread += "\xE2\x80\x8B"; // looks the same, but is longer than any thread's id
  others = {changed(wonder(), [&](observation& x) { x.context["thread_id"] = thread; })};
  BOOST_TEST(answers(say("Yes")) == "granted");
}

BOOST_FIXTURE_TEST_CASE(needs_what_has_gone_since_where_words_may_answer, asked_once) {
  auto since = [&](std::string words, json::object context = {}) {
    auto input = changed(say(std::move(words)), [&](observation& x) {
      for (const auto& [key, value] : context)
        x.context[key] = value;
    });
    auto result = policy().needs_history_since(*input, asked, inputs);
    inputs.pop_back();
    return result;
  };
  BOOST_TEST((since("Yes") == inputs[0]->created_at));
  BOOST_TEST((since("No") == inputs[0]->created_at));
  BOOST_TEST((since("Yes, pay") == inputs[0]->created_at));
  BOOST_TEST(!since("The morning flight"));
  BOOST_TEST(!since("Yes", {{"confirms", asked[0]->observation_id}}));
  say("What is the weather like?");
  BOOST_TEST(!since("Yes")); // consent by words needs the next turn
}

BOOST_FIXTURE_TEST_CASE(is_in_doubt_if_not_all_later_questions_are_known, asked_once) {
  auto yes = say("Yes");
  BOOST_TEST(to_string(policy().answers(*yes, asked, inputs, {}).front()) == "in_doubt");
}

BOOST_FIXTURE_TEST_CASE(is_not_in_an_empty_list_of_confirmed_questions, asked_once) {
  auto yes = changed(say("Yes"), [](observation& x) { x.context["confirms"] = json::array{}; });
  BOOST_TEST(answers(yes) == "open");
  BOOST_TEST(!policy().speaks_to(*yes, *asked[0], questions()));
}

BOOST_FIXTURE_TEST_CASE(is_spoken_of_by_words_that_can_mean_nothing_else, asked_once) {
  auto yes = say("Yes");
  BOOST_TEST(policy().speaks_to(*yes, *asked[0], questions()));
  wonder();
  auto later = say("Yes");
  BOOST_TEST(!policy().speaks_to(*later, *asked[0], questions()));
}

BOOST_FIXTURE_TEST_CASE(is_asked_for_again_with_the_words_that_leave_no_doubt, asked_once) {
  auto draft = asked_again(*asked[0], 30);
  BOOST_TEST(draft.content.starts_with(asked[0]->content));
  BOOST_TEST(draft.content.find("Say \"Yes, pay\" or \"No, pay\"") != std::string::npos);
  BOOST_TEST(draft.ttl_minutes.value_or(0) == 30);
  auto again = changed(asked[0], [&](observation& x) {
    x.content = draft.content;
    x.metadata = draft.metadata;
  });
  auto read = read_consent_question(*again);
  BOOST_REQUIRE(read.has_value());
  BOOST_TEST(is_same_call(read->call, read_consent_question(*asked[0])->call));
  BOOST_TEST(read->user == "ann");
  BOOST_TEST(asked_again(*again, 30).content == draft.content); // it does not become longer
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
