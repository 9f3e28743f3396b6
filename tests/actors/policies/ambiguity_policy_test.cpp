#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

const ambiguity_policy& clarifying() {
  static const ambiguity_policy result{default_config().ambiguity};
  return result;
}

bool is_answered(const observation& asked, std::string_view input) {
  return ambiguity_policy::is_open_question(asked) && clarifying().is_answer(input);
}

tool_manifest flight_search() {
  auto manifest = tool("search_flight");
  manifest.inputs = parse_object(R"({"type":"object","required":["origin","departure_date"]})");
  return manifest;
}

planned_call search(std::string_view inputs) {
  auto result = call("c1", "search_flight");
  result.inputs = parse_object(inputs);
  return result;
}

size_t questions_about(std::string_view input, bool answers_earlier = false) {
  return clarifying().questions(input, {}, {}, answers_earlier).size();
}

} // namespace

BOOST_AUTO_TEST_SUITE(ambiguity)

BOOST_AUTO_TEST_CASE(each_lacking_required_input_is_one_question_that_names_tool_and_field) {
  auto asked = clarifying().questions("Find a flight", {search("{}")}, {flight_search()}, false);
  BOOST_REQUIRE(asked.size() == 2u);
  BOOST_TEST(asked[1].call_id == "c1");
  BOOST_TEST(asked[1].field == "departure_date");
  BOOST_TEST(asked[1].text == "What departure date should search_flight use? (departure_date)");
  BOOST_TEST(asked[1].reason == "search_flight requires departure_date");
}

BOOST_AUTO_TEST_CASE(null_and_blank_inputs_are_lacking_and_all_others_are_not) {
  auto lacking = [](std::string_view inputs) {
    return listed(missing_fields(search(inputs), flight_search()));
  };
  BOOST_TEST(lacking(R"({"origin":null,"departure_date":"  "})") == "origin departure_date");
  BOOST_TEST(lacking(R"({"origin":false,"departure_date":0})").empty());
  BOOST_TEST(!missing_inputs(search("{}"), tool("search_flight")));
}

BOOST_AUTO_TEST_CASE(a_complete_plan_asks_nothing_whatever_the_input_says) {
  auto plan = search(R"({"origin":"JFK","departure_date":"2024-05-20"})");
  BOOST_TEST(clarifying().questions("that one", {plan}, {flight_search()}, false).empty());
  BOOST_TEST(
    clarifying().questions("it", {call("c1", "unknown")}, {flight_search()}, false).empty());
}

BOOST_AUTO_TEST_CASE(a_call_that_still_lacks_an_input_is_asked_about_again) {
  auto asked = clarifying().questions("The 20th", {search("{}")}, {flight_search()}, true);
  BOOST_REQUIRE(asked.size() == 2u);
  BOOST_TEST(asked[1].field == "departure_date");
}

BOOST_AUTO_TEST_CASE(an_input_that_says_too_little_is_a_question) {
  for (auto input : {"", "  \n", "it", "That one, please", "I'd like this one", "this or that",
         "I'm not sure which flight I want"})
    BOOST_TEST(questions_about(input) == 1u, input);
}

BOOST_AUTO_TEST_CASE(a_normal_chat_message_is_none) {
  for (auto input : {"yes", "thanks", "My user id is mia_li_3668", "###STOP###", "No",
         "This one is also due to a change of plan.", "Cancel 59XX6W now, please.", "May 26."})
    BOOST_TEST(questions_about(input) == 0u, input);
}

BOOST_AUTO_TEST_CASE(a_bare_referent_refers_to_what_was_answered_before) {
  BOOST_TEST(questions_about("that one") == 1u);
  BOOST_TEST(questions_about("that one", true) == 0u);
}

BOOST_AUTO_TEST_CASE(a_request_that_nobody_could_act_on_is_asked_about) {
  for (auto input : {"Fix the issue", "Make it shorter", "Send it to her", "Set a reminder",
         "Mach es schöner", "Hazlo otra vez", "Refais-le", "翻译一下这个", "彼に送って"})
    BOOST_TEST(questions_about(input) == 1u, input);
}

BOOST_AUTO_TEST_CASE(a_complete_request_and_talk_are_clear) {
  for (auto input : {"Turn on the light in the kitchen", "What is the capital of Chile?", "Hello",
         "Translate this: the station is closed today", "Tell me a joke", "Danke", "今何時ですか"})
    BOOST_TEST(questions_about(input) == 0u, input);
}

BOOST_AUTO_TEST_CASE(what_was_said_before_makes_an_input_clear) {
  auto asks = [](std::string_view input, std::vector<std::string> earlier) {
    return !clarifying().questions(input, {}, {}, false, earlier).empty();
  };
  BOOST_TEST(asks("Make it shorter", {}));
  BOOST_TEST(!asks("Make it shorter", {"Here is the poem"}));
  BOOST_TEST(!asks("Fix the issue", {"Issue 12 is that the page is blank"}));
  BOOST_TEST(!asks("Set a reminder", {"What else shall I set, a reminder or a timer?"}));
  BOOST_TEST(asks("Fix the issue", {"Hello", "How can I help you?"}));
}

BOOST_AUTO_TEST_CASE(whatever_is_said_after_a_question_answers_it) {
  auto pending = seen("obs_1", "pending_confirmation", "Which date?");
  for (auto input : {"May 26", "yes", "No, can you do June?", "the cheapest"})
    BOOST_TEST(is_answered(pending, input), input);
}

BOOST_AUTO_TEST_CASE(a_question_back_a_deferral_and_a_blank_input_answer_nothing) {
  auto pending = seen("obs_1", "pending_confirmation", "Which date?");
  for (auto input : {"", " ", "Why do you ask?", "what dates are there", "Is June cheaper? ",
         "Hold on", "I don't know yet"})
    BOOST_TEST(!is_answered(pending, input), input);
}

BOOST_AUTO_TEST_CASE(only_a_live_pending_confirmation_can_be_answered) {
  auto resolved = seen("obs_1", "pending_confirmation", "Which date?");
  resolved.status = status::resolved;
  BOOST_TEST(!is_answered(resolved, "May 26"));
  BOOST_TEST(!is_answered(seen("obs_2", "alert", "Fire"), "May 26"));
}

BOOST_AUTO_TEST_CASE(a_long_input_that_refers_to_nothing_is_quoted_in_part) {
  std::string input;
  while (input.size() < 60'000)
    input += "that one ";
  auto asked = clarifying().questions(input, {}, {}, false);
  BOOST_REQUIRE(asked.size() == 1u);
  BOOST_TEST(asked[0].text.starts_with("What does \"that one that one"));
  BOOST_TEST(asked[0].text.size() < 2 * reading_limits::quoted_bytes);
}

BOOST_AUTO_TEST_CASE(only_the_beginning_of_an_input_is_read) {
  auto chatter = std::string(reading_limits::input_bytes, 'x');
  BOOST_TEST(questions_about("this or that") == 1u);
  BOOST_TEST(questions_about(chatter + " this or that") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
