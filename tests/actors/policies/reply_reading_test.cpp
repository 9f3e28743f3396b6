#include "scratchpage/actors/policies/reply_reading.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace scratchpage {

namespace {

std::string answer(std::string_view input, waiting_kind asked) {
  auto found = read_reply(input, asked, "");
  return found ? std::string{name_of(*found)} : "nothing";
}

void check_all(
  const std::vector<std::string>& inputs, waiting_kind asked, std::string_view expected) {
  for (const auto& one : inputs)
    BOOST_TEST(answer(one, asked) == expected, one << " is " << answer(one, asked));
}

} // namespace

BOOST_AUTO_TEST_SUITE(reply_reading_tests)

BOOST_AUTO_TEST_CASE(agreement_affirms_a_confirmation) {
  check_all({"Yes", "y", "That is correct", "Sure, why not", "no problem",
              "not a problem, go ahead", "Yes. What genre is it?", "Sounds good",
              "Yes, that's right, what does it cost?", "Please go ahead and cancel it."},
    waiting_kind::confirm, "affirmed");
}

BOOST_AUTO_TEST_CASE(refusal_declines_a_confirmation) {
  check_all({"No", "n", "No thanks", "Don't do that", "I'd rather not", "Not now, maybe later",
              "That won't be necessary."},
    waiting_kind::confirm, "declined");
}

BOOST_AUTO_TEST_CASE(another_value_changes_what_was_to_be_confirmed) {
  check_all(
    {"Yes, but make it 5 pm", "No, that's not it, I want the other", "Actually make it 3 tickets",
      "No, wait, it should be for 4 people", "Only two of them, please"},
    waiting_kind::confirm, "changed");
}

BOOST_AUTO_TEST_CASE(what_does_not_speak_to_the_question_answers_nothing) {
  check_all({"What does it cost?", "Thanks", "Find me a cab", "Are you sure?", "", "..."},
    waiting_kind::confirm, "nothing");
}

BOOST_AUTO_TEST_CASE(a_value_or_indifference_answers_a_question_for_inputs) {
  check_all(
    {"In Berlin", "any", "I don't care", "for two, tomorrow", "A12345", "I want to eat Thai food."},
    waiting_kind::inputs, "answered");
  check_all({"What are my options?", "Thanks"}, waiting_kind::inputs, "nothing");
  check_all({"Never mind"}, waiting_kind::inputs, "declined");
}

BOOST_AUTO_TEST_CASE(a_choice_is_taken_refused_or_asked_to_be_another) {
  check_all({"that works", "Yes, book it"}, waiting_kind::choice, "affirmed");
  check_all({"Anything else?", "show me another"}, waiting_kind::choice, "changed");
  check_all({"No, I don't like it", "not now"}, waiting_kind::choice, "declined");
  check_all({"The second one please"}, waiting_kind::choice, "answered");
}

BOOST_AUTO_TEST_CASE(yes_and_no_are_understood_in_other_languages) {
  check_all({"Ja, bitte", "Sí, adelante", "Oui, allez-y", "好的", "はい、お願いします"},
    waiting_kind::confirm, "affirmed");
  check_all({"Nein, danke", "No, gracias", "Non merci", "不用了", "いいえ、違います"},
    waiting_kind::confirm, "declined");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
