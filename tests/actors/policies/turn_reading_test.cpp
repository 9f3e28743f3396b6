#include "scratchpage/actors/policies/turn_reading.hpp"

#include <string>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/policies/deed_reading.hpp"
#include "scratchpage/actors/policies/output_reading.hpp"
#include "scratchpage/actors/policies/request_matching.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

call_record called(std::string tool, std::string_view outputs) {
  call_record x;
  x.call_id = "a";
  x.planned_tool = tool;
  x.tool_id = std::move(tool);
  x.outputs = parse_object(outputs);
  return x;
}

std::string outcome(std::string input, std::vector<call_record> calls, std::string response = {}) {
  evaluation_input turn;
  turn.input = std::move(input);
  turn.calls = std::move(calls);
  turn.response = std::move(response);
  return to_string(read_whole_turn(turn).outcome);
}

output_finding finding(std::string_view outputs) {
  return read_outputs(parse_object(outputs)).finding;
}

} // namespace

BOOST_AUTO_TEST_SUITE(turn_readings)

BOOST_AUTO_TEST_CASE(outputs_tell_that_it_did_not_work) {
  BOOST_TEST((finding(R"({"ok":false})") == output_finding::failed));
  BOOST_TEST((finding(R"({"exit_code":1})") == output_finding::failed));
  BOOST_TEST((finding(R"({"status":503})") == output_finding::failed));
  BOOST_TEST((finding(R"({"error":"it is broken"})") == output_finding::failed));
  BOOST_TEST((finding(R"({"error":null,"rows":[1]})") == output_finding::fine));
  BOOST_TEST((finding(R"({"results":[]})") == output_finding::empty));
  BOOST_TEST((finding(R"({"sent":8,"total":10})") == output_finding::partial));
  BOOST_TEST((finding(R"({"status":"pending"})") == output_finding::pending));
  BOOST_TEST((finding("{}") == output_finding::silent));
}

BOOST_AUTO_TEST_CASE(what_was_asked_and_not_done_is_more_work) {
  BOOST_TEST(outcome("Order a pizza", {}) == "more_work");
  BOOST_TEST(outcome("Book a table for Friday", {called("get_weather", R"({"celsius":20})")})
             == "more_work");
  BOOST_TEST(outcome("Pay the bill", {called("pay", R"({"ok":false})")}) == "more_work");
  BOOST_TEST(outcome("Pay the bill", {called("pay", R"({"ok":true})")}) == "complete");
}

BOOST_AUTO_TEST_CASE(messages_of_tools_are_read_by_what_they_mean) {
  BOOST_TEST(
    (finding(R"({"message":"The parcel could not be delivered"})") < output_finding::fine));
  BOOST_TEST((finding(R"({"message":"Your booking is confirmed"})") == output_finding::fine));
  BOOST_TEST((finding(R"({"stdout":"2 rows\nerror: row 3\nrow 4"})") == output_finding::partial));
}

BOOST_AUTO_TEST_CASE(each_of_the_things_asked_for_counts) {
  BOOST_TEST(outcome("Book a hotel in Rome and a train there",
               {called("book_hotel", R"({"confirmation":"H1"})")}, "The hotel is booked.")
             == "more_work");
  BOOST_TEST(outcome("Turn off the lamp and tell me the weather",
               {called("switch_lamp", R"({"ok":true})")}, "The lamp is off.")
             == "more_work");
  BOOST_TEST(outcome("Turn off the lamp and tell me the weather",
               {called("switch_lamp", R"({"ok":true})")}, "The lamp is off, and it will rain.")
             == "complete");
}

BOOST_AUTO_TEST_CASE(who_answers_with_a_question_waits) {
  BOOST_TEST(outcome("Delete all my photos", {}, "Every one of them, for good?") == "waiting");
}

BOOST_AUTO_TEST_CASE(who_is_told_to_give_something_is_waited_for) {
  BOOST_TEST(outcome("Pay the bill", {called("pay_bill", R"({"status":"awaiting code"})")},
               "Please enter the code from your bank.")
             == "waiting");
  BOOST_TEST(
    outcome("Pay the bill", {called("pay_bill", R"({"paid":true})")}, "It is paid.") == "complete");
}

BOOST_AUTO_TEST_CASE(what_was_to_be_started_runs_on) {
  BOOST_TEST(outcome("Start the dishwasher", {called("start_dishwasher", R"({"ok":true})")},
               "The dishwasher is running.")
             == "complete");
  BOOST_TEST(outcome("Install the update", {called("install_update", R"({"ok":true})")},
               "The installation is running.")
             == "more_work");
}

BOOST_AUTO_TEST_CASE(a_plainly_bad_value_counts_under_any_name) {
  BOOST_TEST((finding(R"({"pipeline":"failed"})") == output_finding::failed));
  BOOST_TEST((finding(R"({"color":"red"})") == output_finding::fine));
}

BOOST_AUTO_TEST_CASE(bad_news_answers_what_somebody_wants_to_see) {
  BOOST_TEST(outcome("Show me the last build", {called("get_build", R"({"build":"failed"})")},
               "The last build failed.")
             == "complete");
}

BOOST_AUTO_TEST_CASE(lines_that_were_asked_for_may_speak_of_failures) {
  auto logs = called("show_logs", R"({"stdout":"error: no route\nconnected"})");
  BOOST_TEST(outcome("Show me the logs", {logs}, "Here they are.") == "complete");
  BOOST_TEST(outcome("Show me the logs", {logs}) == "more_work");
}

BOOST_AUTO_TEST_CASE(talk_needs_nothing) {
  BOOST_TEST(outcome("Thanks, bye!", {}) == "complete");
  BOOST_TEST(outcome("Vielen Dank", {}) == "complete");
  BOOST_TEST(is_small_talk("ありがとう"));
  BOOST_TEST(is_small_talk("See you tomorrow!"));
  BOOST_TEST(!is_small_talk("See you tomorrow, and pay the bill"));
  BOOST_TEST(!is_small_talk("Thanks, now pay the bill"));
}

BOOST_AUTO_TEST_CASE(an_id_tells_whether_a_call_changes_something) {
  BOOST_TEST(*changes_by_name("bookTable"));
  BOOST_TEST(!*changes_by_name("get_order"));
  BOOST_TEST(!*changes_by_name("weather_api"));
  BOOST_TEST(!changes_by_name("thing"));
  BOOST_TEST(read_deed("send_mail", {}, parse_object(R"({"sent":true})"), {}).succeeded);
  BOOST_TEST(!read_deed("send_mail", {}, parse_object(R"({"sent":false})"), {}).succeeded);
  BOOST_TEST(read_deed("thing", {}, {}, false).changes);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
