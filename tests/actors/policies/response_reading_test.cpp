#include "scratchpage/actors/policies/response_reading.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace scratchpage {

namespace {

std::string kind_of(std::string_view response) {
  auto waits = read_response(response).waits;
  return waits ? std::string{name_of(*waits)} : "nothing";
}

void check_all(const std::vector<std::string>& responses, std::string_view kind) {
  for (const auto& one : responses)
    BOOST_TEST(kind_of(one) == kind, one << " is " << kind_of(one));
}

} // namespace

BOOST_AUTO_TEST_SUITE(response_reading_tests)

BOOST_AUTO_TEST_CASE(a_recap_that_asks_whether_it_is_right_waits_for_a_confirmation) {
  check_all(
    {"Please confirm: you want a table for 2 at Sino at 11:30.", "1 to Central Station?",
      "You want to send $40 to Peter from your balance. Is that correct?",
      "I can cancel reservation QX7 and refund $230 to your card. Do you want me to proceed?",
      "Deleting the 3 files in the folder Drafts. Proceed?",
      "So you'd like 3 tickets to the opera on Friday?"},
    "confirm");
}

BOOST_AUTO_TEST_CASE(a_response_that_lacks_something_waits_for_inputs) {
  check_all({"Which city?", "What time would you like to leave?", "Tell me the date",
              "To change your order I need your order id.",
              "Before I do that, please provide your user id.",
              "Which of the two branches do you mean?", "Sure. How many people, and when?",
              "Sorry, the payment was declined. Do you have another card?"},
    "inputs");
}

BOOST_AUTO_TEST_CASE(a_response_that_proposes_something_waits_for_a_choice) {
  check_all(
    {"I found Nora's in Oakland. Would that work?", "There is a concert by Muse. Interested?",
      "How about the Science Museum in Leeds?", "Would you like me to add it to your calendar?",
      "I found a stylist at Curl House. Does that sound good?"},
    "choice");
}

BOOST_AUTO_TEST_CASE(offers_information_and_farewells_wait_for_nothing) {
  check_all(
    {"", "Anything else?", "Would you like me to look further?", "Do you need anything else?",
      "Your table is booked.", "Have a nice day!", "It costs $40 per night and has 3 stars.",
      "The train leaves from platform 4.", "Okay.", "The file has 312 lines."},
    "nothing");
}

BOOST_AUTO_TEST_CASE(questions_in_other_languages_wait_too) {
  check_all({"Ist das korrekt?", "¿Es correcto?", "请确认", "よろしいですか？"}, "confirm");
  check_all({"Für wie viele Personen?", "¿Para cuántas personas?", "Quelle date souhaitez-vous ?",
              "几个人？", "何時がよろしいですか？"},
    "inputs");
  check_all({"¿Algo más?", "Autre chose ?", "还需要别的吗？"}, "nothing");
}

BOOST_AUTO_TEST_CASE(the_question_holds_what_asks_and_what_it_is_about) {
  BOOST_TEST(read_response("Sure. Which city? And when?").question == "Which city? And when?");
  BOOST_TEST(read_response("I found Nora's in Oakland. Does that work for you?").question
             == "I found Nora's in Oakland. Does that work for you?");
  BOOST_TEST(read_response("Anything else?").question == "");
}

BOOST_AUTO_TEST_CASE(an_offer_beside_a_result_is_seen_and_asks_for_nothing) {
  auto read = read_response("I've reserved your seat. Is there anything else I can help with?");
  BOOST_TEST(!read.waits);
  BOOST_TEST(read.offers_help);
  BOOST_TEST(read.tells_success);
}

BOOST_AUTO_TEST_CASE(successes_and_failures_are_told_apart) {
  BOOST_TEST(read_response("Your appointment has been scheduled.").tells_success);
  BOOST_TEST(read_response("I have sent the message.").tells_success);
  BOOST_TEST(read_response("I'm sorry, I couldn't book the room.").tells_failure);
  BOOST_TEST(read_response("Unfortunately, your payment failed.").tells_failure);
  BOOST_TEST(!read_response("I'm sorry, I couldn't book the room.").tells_success);
  BOOST_TEST(!read_response("It costs $40.").tells_success);
}

BOOST_AUTO_TEST_CASE(a_short_sentence_asks_only_with_a_sign_of_asking) {
  for (auto text : {"All right.", "On dit « good morning ».", "Very well.", "In Ordnung."})
    BOOST_TEST(!read_response(text).waits.has_value(), text);
  BOOST_TEST(read_response("Please confirm the order.").waits.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
