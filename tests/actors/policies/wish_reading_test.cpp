#include "scratchpage/actors/policies/wish_reading.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

namespace scratchpage {

namespace {

constexpr std::string_view found = "I found Nora's in Oakland.";

std::vector<std::string> titles(
  std::string_view input, std::string_view before = "", bool asked = false) {
  std::vector<std::string> result;
  for (const auto& one : read_wishes(input, before, asked).wishes)
    result.push_back(one.title);
  return result;
}

std::string topic(std::string_view input) {
  auto read = read_wishes(input, "", false);
  return read.wishes.empty() ? "" : read.wishes.front().topic;
}

using texts = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(wish_reading_tests)

BOOST_AUTO_TEST_CASE(a_title_is_what_a_person_would_write_on_a_list) {
  BOOST_TEST(
    titles("I want to book a table for 2 at Sino at 11:30") == texts{"Table for 2 at Sino, 11:30"},
    boost::test_tools::per_element());
  BOOST_TEST(titles("Can you please help me to fix the failing test in parser.cpp?")
               == texts{"Fix the failing test in parser.cpp"},
    boost::test_tools::per_element());
  BOOST_TEST(titles("My dishwasher is leaking, please get me a plumber for tomorrow.")
               == texts{"Plumber for tomorrow"},
    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_search_is_a_wish_and_a_question_about_a_thing_is_none) {
  BOOST_TEST(titles("Are there any good movies nearby?").size() == 1u);
  BOOST_TEST(titles("Find me a place to eat").size() == 1u);
  auto asked = read_wishes("What's its phone number?", found, false);
  BOOST_TEST(asked.wishes.empty());
  BOOST_TEST(asked.is_question);
}

BOOST_AUTO_TEST_CASE(equal_wishes_have_equal_topics) {
  BOOST_TEST(topic("I want to book a table for two") == "get tabl");
  BOOST_TEST(topic("Please reserve a table at Sino") == "get tabl");
  BOOST_TEST(topic("Find me a hotel in Rome") != topic("Find me a flight to Rome"));
}

BOOST_AUTO_TEST_CASE(an_answer_is_no_wish) {
  BOOST_TEST(titles("I want a table for 4", "How many people?", true).empty());
  BOOST_TEST(titles("Yes, that is right.", "3 tickets on Friday, correct?", true).empty());
  BOOST_TEST(titles("No, that's all. Thank you", "Anything else?").empty());
  BOOST_TEST(titles("Show me other ones", found).empty());
  BOOST_TEST(titles("I am allergic to peanuts").empty());
}

BOOST_AUTO_TEST_CASE(a_wish_beside_an_answer_is_one) {
  BOOST_TEST(titles("4. I also need a cab.", "How many people?", true) == texts{"Cab"},
    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_input_may_have_two_wishes) {
  BOOST_TEST(titles("Book me a flight to Rome and find a hotel there.").size() == 2u);
}

BOOST_AUTO_TEST_CASE(what_it_points_to_is_named) {
  BOOST_TEST(titles("Great, reserve a table there for 7 pm", found)
               == texts{"Table there for 7 pm (Nora's)"},
    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(agreeing_to_what_the_agent_offers_to_do_is_a_wish) {
  constexpr std::string_view offer = "Would you like me to add it to your calendar?";
  BOOST_TEST(titles("Yes please", offer, true).size() == 1u);
  BOOST_TEST(titles("Not now", offer, true).empty());
}

BOOST_AUTO_TEST_CASE(a_wish_is_given_up_or_done) {
  for (const auto* text : {"Forget the flight", "cancel that", "never mind"})
    BOOST_TEST(read_wishes(text, found, false).drops, text);
  for (const auto* text : {"I'd rather put off any changes", "Let's leave everything as it is"}) {
    BOOST_TEST(read_wishes(text, found, false).drops, text);
    BOOST_TEST(read_wishes(text, found, false).drops_all, text);
  }
  BOOST_TEST(!read_wishes("Forget the flight", found, false).drops_all);
  BOOST_TEST(read_wishes("I've booked it myself", found, false).says_done);
  BOOST_TEST(!read_wishes("Thanks", found, false).drops);
  BOOST_TEST(!read_wishes("Thanks", found, false).says_done);
}

BOOST_AUTO_TEST_CASE(wishes_in_other_languages_are_read) {
  for (const auto* text :
    {"Ich möchte einen Tisch für zwei reservieren", "Quiero reservar una mesa para dos",
      "Je voudrais réserver une table pour deux", "请帮我订一张桌子", "タクシーを呼んでください"})
    BOOST_TEST(titles(text).size() == 1u, text);
}

BOOST_AUTO_TEST_CASE(a_title_has_the_verb_the_thing_and_its_details) {
  const std::vector<std::pair<std::string, std::string>> all{
    {"I'd like to book a table for 6 at Lumen on Friday", "Table for 6 at Lumen on Friday"},
    {"I would also like to change my delivery address to 5 Oak Lane.",
      "Change my delivery address to 5 Oak Lane"},
    {"I wanted to report a broken street lamp on Mill Road.",
      "Report a broken street lamp on Mill Road"},
    {"I need help with upgrading my phone plan.", "Upgrade my phone plan"},
    {"Please connect me to the billing department.", "Connect to the billing department"},
    {"Can you help me with cancelling my gym membership?", "Cancel my gym membership"},
    {"I'd appreciate it if you could send a copy of invoice 3381 to my accountant.",
      "Send a copy of invoice 3381 to my accountant"},
    {"My laptop won't start, could you arrange a repair?", "Arrange a repair"},
    {"Hi, I'm hoping to move my dentist appointment to next week because I'm travelling.",
      "Move my dentist appointment to next week"},
    {"I was wondering if you could track parcel ZX81.", "Track parcel ZX81"},
    {"Would it be possible to extend my library loan by two weeks?",
      "Extend my library loan by two weeks"},
    {"I'm looking to refinance my mortgage.", "Refinance my mortgage"},
    {"We need to migrate the orders table to the new cluster",
      "Migrate the orders table to the new cluster"},
    {"I have a problem with my washing machine.", "Help with my washing machine"},
    {"I need assistance with installing the printer driver.", "Install the printer driver"},
    {"I just want to know my current balance.", "Know my current balance"},
    {"I'd like a refund for the blender I bought last month, as it never worked.",
      "Refund for the blender I bought last month"},
    {"Cancel order 55-A and refund it to my card.", "Cancel order 55-A and refund it to my card"},
    {"Let's write unit tests for the date parser.", "Write unit tests for the date parser"},
    {"Anyway, I need a locksmith in Leeds tonight.", "Locksmith in Leeds tonight"},
    {"Actually, could you rather book the earlier train to Bath?",
      "Book the earlier train to Bath"},
    {"It would be great if you could water the plants on Sunday.", "Water the plants on Sunday"},
    {"I want to make some changes to my insurance policy.",
      "Make some changes to my insurance policy"},
    {"Quiero reservar una mesa para dos", "Reservar una mesa para dos"}};
  for (const auto& [input, title] : all)
    BOOST_TEST_CONTEXT(input)
  BOOST_TEST(titles(input) == texts{title}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_remark_or_a_story_or_a_pointer_without_a_thing_is_no_wish) {
  for (const auto* input : {"Do that please", "Could you double-check that for me?",
         "I'd really like this sorted out today.", "Talk to you soon!",
         "I will send the photos tonight.", "I understand there might be a fee.",
         "I recently had my boiler serviced and it leaks.", "I'm a bit annoyed about the noise.",
         "Please check again.", "See if there's anything you can do.",
         "There has to be some way to fix it.", "I'll get back to you with the number.",
         "Let me know.", "Please let me know when it is ready.", "Why was I charged twice?",
         "I'm so disappointed with the service.", "As for the colour, I like blue.",
         "That would be great.", "꼭 바꿔 주세요", "Пожалуйста, отмените заказ"})
    BOOST_TEST(titles(input).empty(), input);
}

BOOST_AUTO_TEST_CASE(how_a_wish_is_fulfilled_is_no_further_wish) {
  for (const auto* input :
    {"I'd like to use my gift card for that.", "Please confirm the date of arrival.",
      "Could you proceed with it?", "Please make sure the bill goes to my office."})
    BOOST_TEST(titles(input, "Here is your booking.").empty(), input);
}

BOOST_AUTO_TEST_CASE(an_agent_that_hands_over_makes_no_wish) {
  BOOST_TEST(titles("Yes please", "Would you like me to transfer you to a person?", true).empty());
  BOOST_TEST(titles("Yes please", "Would you like me to do that?", true).empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
