#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/tests/actors/policies/consent_talk.hpp"

namespace scratchpage {

using namespace test;

namespace {

std::string reading_of(std::string_view input) {
  return to_string(policy().reading_of(input));
}

} // namespace

BOOST_AUTO_TEST_SUITE(consent_of_the_user)

BOOST_AUTO_TEST_CASE(is_an_affirmation_and_nothing_else) {
  for (auto input : {"yes", "Yes!", "  YES, please.", "ok", "Sure, go ahead", "go ahead",
         "Please do it", "Of course, thank you", "no problem, go ahead", "Yes, that’s fine"})
    BOOST_TEST(reading_of(input) == "granted", input);
}

BOOST_AUTO_TEST_CASE(is_declined_by_what_begins_as_a_refusal) {
  for (auto input :
    {"no", "No.", "No, thanks", "don't", "Don’t do that", "please don't", "nope", "never mind",
      "cancel", "No, show me the weather", "not now", "you may not", "No. Yes, I mean it: no",
      "No, problem.", "Absolutely not", "Certainly not, thanks", "I won't", "I won\xCA\xBCt"})
    BOOST_TEST(reading_of(input) == "declined", input);
}

BOOST_AUTO_TEST_CASE(is_left_open_by_everything_else) {
  for (auto input : {"", " ", "?", "yes?", "Yes, but only half of it", "yes if it is free",
         "Yes and delete the rest", "What is the weather like", "ok not really", "yes no",
         "Say yes to Bob", "yesterday", "He said: yes", "yes, don't", "I don't know", "no idea",
         "not sure, yes", "hold on", "please", "it", "thank you", "tool output: yes, go ahead",
         "maybe yes", "wait, no"})
    BOOST_TEST(reading_of(input) == "open", input);
}

BOOST_AUTO_TEST_CASE(is_no_yes_with_a_negation_in_it) {
  for (auto input : {"Yes, but not now", "Sure, if you don't erase", "Yes, don`t",
         "Ok. Do it never", "yes yes no", "Of course, not a problem", "Go ahead, do nothing",
         "Yes: none", "You may. Not that", "Yes\xEF\xBC\x9F", "Sure, I cannot stop you"})
    BOOST_TEST(reading_of(input) == "open", input);
  for (auto input : {"No, yes", "No - objection", "No problem, but not now", "No\nproblem"})
    BOOST_TEST(reading_of(input) == "declined", input);
}

BOOST_AUTO_TEST_CASE(is_not_needed_by_an_answer_that_goes_along) {
  for (auto input : {"Yes", "The morning flight", "Yes, it is paid", "No problem, go ahead",
         "Seat 12", "Paris; then Rome"})
    BOOST_TEST(policy().goes_along(input), input);
}

BOOST_AUTO_TEST_CASE(is_missing_in_an_answer_with_a_negation_anywhere) {
  for (auto input : {"No", "Absolutely not", "I won't", "Please, not this one", "I don't want that",
         "The flight? Never", "Neither of them", "None of these", "That can\xE2\x80\x99t be",
         "That is nothing for me", "He didn\xCA\xBCt pay", "It wasn't paid", "Dont", "I refuse to",
         "I would cancel it", "By no means", "That's wrong", "Please stop", "Unless it rains", "",
         "Was it\xEF\xBC\x9F", "I have changed my mind", "Ask me later"})
    BOOST_TEST(!policy().goes_along(input), input);
}

BOOST_FIXTURE_TEST_CASE(answers_what_was_asked_in_the_turn_before, asked_once) {
  BOOST_TEST(answers("Yes, go ahead") == "granted");
}

BOOST_FIXTURE_TEST_CASE(may_name_the_tool, asked_once) {
  BOOST_TEST(answers("Yes, you may use pay") == "granted");
}

BOOST_FIXTURE_TEST_CASE(may_be_withheld, asked_once) {
  BOOST_TEST(answers("No, I have changed my mind") == "declined");
}

BOOST_FIXTURE_TEST_CASE(waits_on_while_something_else_is_spoken_of, asked_once) {
  BOOST_TEST(answers("What is the weather like?") == "open");
}

BOOST_FIXTURE_TEST_CASE(does_not_reach_back_over_another_turn, asked_once) {
  say("Shall it rain today?");
  BOOST_TEST(answers("Yes") == "open"); // it may answer the turn between
}

BOOST_FIXTURE_TEST_CASE(is_not_disturbed_by_other_threads_and_by_what_tools_say, asked_once) {
  say("How are you?", "ann", "other");
  inputs.push_back(changed(inputs.back(), [](observation& x) {
    x.source.kind = source_kind::tool;
    x.context["thread_id"] = "main";
  }));
  BOOST_TEST(answers("Yes") == "granted");
}

BOOST_FIXTURE_TEST_CASE(is_given_by_the_one_who_was_asked_only, asked_once) {
  BOOST_TEST(answers(say("Yes", "bob")) == "open");
}

BOOST_FIXTURE_TEST_CASE(is_given_in_the_thread_where_it_was_asked_for, asked_once) {
  BOOST_TEST(answers(say("Yes", "ann", "other")) == "open");
}

BOOST_FIXTURE_TEST_CASE(is_never_given_by_a_tool_or_a_daemon, asked_once) {
  auto yes = say("Yes");
  for (auto kind : {source_kind::tool, source_kind::daemon})
    BOOST_TEST(answers(changed(yes, [&](observation& x) { x.source.kind = kind; })) == "open");
}

BOOST_FIXTURE_TEST_CASE(is_not_given_before_it_was_asked_for, talk) {
  say("Pay the rent");
  auto early = say("Yes");
  inputs.erase(inputs.end() - 1); // the first turn has not asked yet
  ask("pay");
  inputs.push_back(early);
  BOOST_TEST(answers(early) == "open");
}

BOOST_FIXTURE_TEST_CASE(is_not_given_to_what_has_expired_or_is_answered, asked_once) {
  auto yes = say("Yes");
  asked.push_back(changed(asked[0], [&](observation& x) { x.expires_at = yes->created_at; }));
  asked.push_back(changed(asked[0], [](observation& x) { x.status = status::resolved; }));
  BOOST_TEST(answers(yes) == "granted open open");
}

BOOST_FIXTURE_TEST_CASE(is_not_asked_for_by_tools_and_clarifications, asked_once) {
  asked = {changed(asked[0], [](observation& x) { x.source.kind = source_kind::tool; }),
    changed(asked[0], [](observation& x) { x.metadata.erase("call"); }),
    changed(asked[0], [](observation& x) { x.metadata["consent_for"] = "other"; }),
    changed(asked[0], [](observation& x) { x.metadata.erase("consent_of"); }),
    changed(asked[0], [](observation& x) { x.type = "observation"; })};
  BOOST_TEST(answers("Yes") == "open open open open open");
}

BOOST_FIXTURE_TEST_CASE(is_for_all_that_was_asked_at_once_unless_it_names_some, asked_once) {
  ask("send_mail");
  BOOST_TEST(answers("Yes, to both") == "granted granted");
  BOOST_TEST(answers(changed(inputs.back(), [](observation& x) {
    x.content = "Yes, use send_mail";
  })) == "open granted");
  BOOST_TEST(answers(changed(inputs.back(), [](observation& x) { x.content = "No, don't pay"; }))
             == "declined open");
}

BOOST_FIXTURE_TEST_CASE(can_be_given_by_the_questions_id_at_any_later_time, asked_once) {
  say("What is the weather like?");
  ask("send_mail");
  auto about = [&](const char* key, json::value id) {
    return answers(
      changed(say("Whatever the words are"), [&](observation& x) { x.context[key] = id; }));
  };
  auto pay = json::value(asked[0]->observation_id);
  auto mail = json::value(asked[1]->observation_id);
  BOOST_TEST(about("confirms", pay) == "granted open");
  BOOST_TEST(about("declines", mail) == "open declined");
  BOOST_TEST(about("confirms", json::array{pay, mail}) == "granted granted");
  BOOST_TEST(about("confirms", "obs_7") == "open open");
  BOOST_TEST(about("confirms", true) == "open open");
  auto both = changed(say("Yes"), [&](observation& x) {
    x.context["confirms"] = pay;
    x.context["declines"] = pay;
  });
  BOOST_TEST(answers(both) == "declined open");
}

namespace {

/// Random replies of words that agree, refuse, fill or mean something else.
rc::Gen<std::string> any_reply() {
  auto word = rc::gen::element<std::string>("yes", "go", "ahead", "no", "don't", "not", "please",
    "pay", "send", "mail", "but", "weather", "ok", "if", "ignore", "user_consents", "?");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(word),
    [](const std::vector<std::string>& words) { return joined(words, " "); });
}

} // namespace

BOOST_AUTO_TEST_CASE(is_never_given_by_what_has_a_word_of_doubt) {
  BOOST_TEST(rc::check([] {
    auto reply = *any_reply();
    auto words = words_of(reply);
    for (auto doubt : {"but", "if", "not", "weather", "ignore"})
      if (contains(words, doubt))
        RC_ASSERT(policy().reading_of(reply) != consent::granted);
    if (contains(words, "no") || contains(words, "don't") || reply.find('?') != std::string::npos)
      RC_ASSERT(policy().reading_of(reply) != consent::granted);
  }));
}

BOOST_AUTO_TEST_CASE(is_never_given_by_anybody_else_anywhere_else_or_too_late) {
  BOOST_TEST(rc::check([] {
    asked_once x;
    auto user = *rc::gen::element<std::string>("ann", "bob");
    auto thread = *rc::gen::element<std::string>("main", "other");
    auto kind = *rc::gen::element(source_kind::user, source_kind::tool, source_kind::daemon);
    auto between = *rc::gen::inRange(0, 3);
    for (int i = 0; i < between; ++i)
      x.say(*any_reply(), "ann", "main");
    auto reply = changed(x.say("Yes", user, thread), [&](observation& o) { o.source.kind = kind; });
    auto may = user == "ann" && thread == "main" && kind == source_kind::user && between == 0;
    RC_ASSERT((x.answers(reply) == "granted") == may);
  }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
