#include "scratchpage/actors/policies/several_meant.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

/// What was said before, and the input.
struct exchange {
  std::string asked;
  std::string said;
  std::string input;
};

/// "A | B", "" if nothing is unclear.
std::string meant_in(const exchange& x) {
  return joined(several_meant(x.input, {x.asked, x.said}), " | ");
}

const exchange calls{"What's on tomorrow?", "A planning call at 10 and a client call at 2.",
  "push the call to Monday"};

std::string meant_of_calls(std::string input) {
  return meant_in({calls.asked, calls.said, std::move(input)});
}

} // namespace

BOOST_AUTO_TEST_SUITE(several_things_meant)

BOOST_AUTO_TEST_CASE(a_noun_that_several_listed_things_have_fits_all_of_them) {
  BOOST_TEST(meant_in(calls) == "A planning call at 10 | a client call at 2");
  BOOST_TEST(
    meant_in({"¿Qué reuniones tengo?",
      "La reunión de ventas a las 10 y la reunión de diseño a las 12.", "cancela la reunión"})
    == "La reunión de ventas a las 10 | la reunión de diseño a las 12");
  BOOST_TEST(meant_in({"Welche Termine habe ich?", "Budgetmeeting um 9 und Teammeeting um 11.",
               "Sag das Meeting ab"})
             == "Budgetmeeting um 9 | Teammeeting um 11");
}

BOOST_AUTO_TEST_CASE(a_noun_that_was_asked_for_in_the_plural_fits_whatever_is_listed) {
  BOOST_TEST(meant_in({"Which newsletters do I get?",
               "Morning Brew, Stratechery and the FT digest.", "Please cancel my newsletter"})
             == "Morning Brew | Stratechery | the FT digest");
  BOOST_TEST(meant_in({"what printers do we have?", "- HP in the lobby\n- Canon on floor 2",
               "restart the printer"})
             == "HP in the lobby | Canon on floor 2");
  BOOST_TEST(
    meant_in({"Help", "You have two bookings: Lisbon in May; Porto in June.", "cancel the booking"})
    == "Lisbon in May | Porto in June");
}

BOOST_AUTO_TEST_CASE(plurals_and_nouns_of_other_languages_are_known) {
  BOOST_TEST(
    meant_in({"Welche Flüge gibt es?", "Lufthansa um 7:10 und Swiss um 9:40.", "Buch mir den Flug"})
    == "Lufthansa um 7:10 | Swiss um 9:40");
  BOOST_TEST(
    meant_in({"Quelles factures restent ?", "EDF, Orange et la mairie.", "Paie la facture"})
    == "EDF | Orange | la mairie");
  BOOST_TEST(meant_in({"有哪些快递？", "京东的快递和顺丰的快递。", "把快递退了"})
             == "京东的快递 | 顺丰的快递");
}

BOOST_AUTO_TEST_CASE(an_appointment_is_whatever_has_a_time) {
  BOOST_TEST(meant_in({"Was liegt am Montag an?",
               "Um 8 Uhr Physiotherapie und um 15 Uhr Elternabend.", "Verschieb bitte den Termin"})
             == "Um 8 Uhr Physiotherapie | um 15 Uhr Elternabend");
  BOOST_TEST(meant_in({"Et lundi ?", "À 9 h le dentiste et à 14 h le garage.",
               "Tu peux annuler le rendez-vous ?"})
             == "À 9 h le dentiste | à 14 h le garage");
  BOOST_TEST(meant_in({"周三我有什么事？", "上午10点面试，下午3点培训。", "把那个取消吧"})
             == "上午10点面试 | 下午3点培训");
  BOOST_TEST(
    meant_in({"明日の予定は？", "10時に歯医者、15時に美容院です。", "それをキャンセルして"})
    == "10時に歯医者 | 15時に美容院");
}

BOOST_AUTO_TEST_CASE(a_first_name_fits_all_who_have_it) {
  exchange mail{"Any messages?",
    "Two: Maria Silva asks for the invoice, Maria Gomez wants to meet.",
    "answer Maria that I agree"};
  BOOST_TEST(meant_in(mail) == "Maria Silva | Maria Gomez");
  BOOST_TEST(meant_in({"who is free?", "Tom from sales and Tom from design.", "invite Tom"})
             == "Tom from sales | Tom from design");
  mail.input = "answer Maria Silva that I agree";
  BOOST_TEST(meant_in(mail).empty());
  mail.asked = "Any news from Maria Gomez?";
  mail.input = "answer Maria that I agree";
  BOOST_TEST(meant_in(mail).empty());
}

BOOST_AUTO_TEST_CASE(it_fits_single_things_if_nothing_else_was_talked_about) {
  BOOST_TEST(meant_in({"what did I order?", "A black lamp and a green chair.", "return it please"})
             == "A black lamp | a green chair");
  BOOST_TEST(
    meant_in({"what's in the salad?", "A tomato, a cucumber and an onion.", "order it"}).empty());
  BOOST_TEST(
    meant_in({"Write a poem about the sea",
               "The sea is grey, the gulls are loud and the wind is cold.", "send it to Ann"})
      .empty());
  BOOST_TEST(meant_in({"写一首关于海的诗", "一只海鸥，一条船。", "把它发给妈妈"}).empty());
}

BOOST_AUTO_TEST_CASE(it_may_mean_either_of_two_devices_that_were_set) {
  exchange room{"turn on the fan and play some Bach", "Done, both are on.", "turn it off please"};
  BOOST_TEST(meant_in(room) == "turn on the fan | play some Bach");
  room.input = "play it again";
  BOOST_TEST(meant_in(room).empty());
  BOOST_TEST(meant_in({"Book a table and put it in my calendar", "Done.", "cancel it"}).empty());
}

BOOST_AUTO_TEST_CASE(more_of_something_fits_each_kind_of_it) {
  BOOST_TEST(
    meant_in({"what coffee do we have?", "Ethiopian beans and decaf beans.", "order two more"})
    == "Ethiopian beans | decaf beans");
}

BOOST_AUTO_TEST_CASE(a_word_that_tells_which_leaves_nothing_open) {
  for (auto input : {"push the client call to Monday", "move the 10 o'clock call", "cancel both",
         "cancel the first one", "cancel the call with the client", "cancel all calls",
         "push the call to Monday, the planning one", "no, push the call to Monday"})
    BOOST_TEST(meant_of_calls(input).empty(), input);
  BOOST_TEST(
    meant_in({"周四有什么会？", "预算会议在10点，招聘会议在3点。", "把预算会议改到周五"}).empty());
}

BOOST_AUTO_TEST_CASE(talk_and_questions_ask_for_nothing) {
  for (auto input : {"thanks, that's all", "what is the call about?", "oh, the call", "", "?"})
    BOOST_TEST(meant_of_calls(input).empty(), input);
}

BOOST_AUTO_TEST_CASE(a_thing_that_was_talked_about_is_meant) {
  BOOST_TEST(meant_in(
    {"When's the budget meeting?", "The budget meeting is at 11, before the hiring meeting at 3.",
      "move the meeting to Friday"})
               .empty());
  BOOST_TEST(meant_in({"Any news?", "Anna sent the report at 9, and Bob read the report at 10.",
                        "forward the report to Eve"})
               .empty());
}

BOOST_AUTO_TEST_CASE(a_question_names_a_few_things_and_cuts_long_ones) {
  auto long_item = "alarm " + std::string(300, 'x');
  auto meant = several_meant("delete the alarm",
    {"Which alarms are set?", long_item + ", 6:30, 7:00, 7:45, 8:00 and 9:00."});
  BOOST_TEST(meant.empty()); // only one has the word
  meant =
    several_meant("delete the alarm", {"Which alarms are set?", "6:30, 7:00, 7:45, 8:00, 9:00."});
  BOOST_TEST(meant.size() == several_meant_limits::candidates);
  meant = several_meant("delete the alarm",
    {"Which alarms are set?", std::string(300, 'x') + " and " + std::string(300, 'y') + "."});
  BOOST_REQUIRE(meant.size() == 2u);
  BOOST_TEST(meant[0].size() <= several_meant_limits::named_bytes);
  BOOST_TEST(question_which({"A", "B", "C"}) == "Which one do you mean: A, B or C?");
}

BOOST_AUTO_TEST_CASE(the_clarifier_asks_which_unless_its_last_text_asked) {
  ambiguity_policy clarifier{default_config().ambiguity};
  auto asked = clarifier.questions(calls.input, {}, {}, false, {calls.asked, calls.said});
  BOOST_REQUIRE(asked.size() == 1u);
  BOOST_TEST(
    asked[0].text == "Which one do you mean: A planning call at 10 or a client call at 2?");
  BOOST_TEST(asked[0].reason == "the input fits several things that were said");
  BOOST_TEST(clarifier
               .questions(calls.input, {}, {}, false,
                 {calls.asked, calls.said + " Shall I push the client call?"})
               .empty());
  BOOST_TEST(clarifier.questions(calls.input, {}, {}, true, {calls.asked, calls.said}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
