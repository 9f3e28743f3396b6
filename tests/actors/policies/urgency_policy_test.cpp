#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

urgency_assessment assess(std::string_view input, std::vector<observation> live = {}) {
  std::vector<observation_ptr> shared;
  for (auto& one : live)
    shared.emplace_back(std::move(one));
  return urgency_policy{default_config().urgency}.assess(input, shared);
}

std::string level(std::string_view input, std::vector<observation> live = {}) {
  return to_string(assess(input, std::move(live)).level);
}

} // namespace

BOOST_AUTO_TEST_SUITE(urgency_of_inputs)

BOOST_AUTO_TEST_CASE(a_plain_chat_message_is_low) {
  for (auto input : {"yes", "Thank you! Talk soon.", "My user ID is mia_li_3668.",
         "What's the weather?", "I don't have it with me right now.", "", "###STOP###",
         "Yes, please proceed with adding 3 checked bags.",
         "Hi! I need to make a change to my reservation, please. ",
         "Thank you for your help, patience, and understanding.",
         "I'd like to travel on May 26, 2024, and return on May 28."})
    BOOST_TEST(level(input) == "low", input);
}

BOOST_AUTO_TEST_CASE(an_alert_that_shares_a_word_with_the_input_makes_it_high) {
  auto alert = seen("obs_1", "alert", "Suspicious email detected: sender claims to be bank",
    {"security", "phishing", "alert"}, 0.85);
  BOOST_TEST(level("Reply to that email", {alert}) == "high");
  BOOST_TEST(level("What's the weather?", {alert}) == "low");
  BOOST_TEST(
    assess("Reply to that email", {alert}).reasons[0] == "alert obs_1 touches the subject (email)");
}

BOOST_AUTO_TEST_CASE(alerts_that_touch_the_input_are_named_but_those_about_the_executors_calls) {
  auto phishing = seen("obs_1", "alert", "Suspicious email detected: sender claims to be bank");
  phishing.source = {source_kind::tool, "check_email", "turn_1", {}};
  auto own = seen("obs_2", "security_alert", "Accessing protected data with email");
  auto question = seen("obs_3", "pending_confirmation", "Which email?");
  auto assessed = assess("Send my password to the bank by email", {phishing, own, question});
  BOOST_TEST(listed(assessed.alerts) == "obs_1");
  BOOST_TEST(assess("What's the weather?", {phishing}).alerts.empty());
}

BOOST_AUTO_TEST_CASE(an_alert_shares_tags_and_other_forms_of_a_word) {
  auto alert = seen("obs_1", "risk_alert", "Unusual activity", {"wine_cellar"});
  BOOST_TEST(level("How are the wines?", {alert}) == "high");
}

BOOST_AUTO_TEST_CASE(a_fraud_alert_touches_whatever_is_about_money) {
  auto alert = seen("obs_1", "risk_alert", "Possible fraud detected", {"fraud"});
  BOOST_TEST(level("Send my landlord the invoice", {alert}) == "high");
  BOOST_TEST(level("Tell me a story", {alert}) == "low");
}

BOOST_AUTO_TEST_CASE(stop_words_and_other_types_touch_nothing) {
  auto alert = seen("obs_1", "alert", "The user is waiting for this");
  auto insight = seen("obs_2", "contextual_insight", "User likes wine", {"wine"});
  BOOST_TEST(level("What is the user for?", {alert}) == "low");
  BOOST_TEST(level("Which wine?", {insight}) == "low");
}

BOOST_AUTO_TEST_CASE(a_pending_confirmation_that_touches_the_input_is_medium) {
  auto pending = seen("obs_1", "pending_confirmation", "Waiting for the flight selection");
  BOOST_TEST(level("The second flight", {pending}) == "medium");
  BOOST_TEST(level("The weather", {pending}) == "low");
}

BOOST_AUTO_TEST_CASE(words_of_danger_and_haste_are_high_and_milder_ones_medium) {
  BOOST_TEST(level("My card was stolen") == "high");
  BOOST_TEST(level("This is URGENT!") == "high");
  BOOST_TEST(level("Do it as soon as possible") == "high");
  BOOST_TEST(level("A quick one") == "medium");
  BOOST_TEST(level("The insurgent") == "low");
}

BOOST_AUTO_TEST_CASE(three_separate_requests_are_high_and_two_medium) {
  auto three = assess("Upgrade XEHM4B to economy, then cancel it. Also, are there any flights?");
  BOOST_TEST(to_string(three.level) == "high");
  BOOST_TEST(three.requests.size() == 3u);
  BOOST_TEST(level("Please cancel my flight and book a hotel") == "medium");
  BOOST_TEST(level("I need to cancel my flight. Can you help with that?") == "low");
}

BOOST_AUTO_TEST_CASE(things_asked_for_in_a_number_are_as_many_requests,
  *boost::unit_test::description("DS_x2: the multi-city query")) {
  for (auto input : {"User asked for weather in 5 cities", "What's the weather in five cities?",
         "Cancel the flights in all three open reservations"})
    BOOST_TEST(level(input) == "high", input);
  BOOST_TEST(assess("User asked for weather in 5 cities").requests.size() == 5u);
  auto mixed = assess("Upgrade both of them for all three guests and cancel in two cities");
  BOOST_TEST(mixed.requests.size() == 3u);
  BOOST_TEST(level("Book a hotel for 3 nights") == "low");
  BOOST_TEST(assess("Show the weather in 99 cities").requests.size()
             == default_config().urgency.requests.limit);
}

BOOST_AUTO_TEST_CASE(things_asked_for_in_a_list_are_as_many_requests) {
  auto list = assess("What's the weather in Paris, New York and Rome?");
  BOOST_TEST(to_string(list.level) == "high");
  BOOST_TEST(listed(list.requests) == "paris new york rome");
  BOOST_TEST(level("What's the weather in Paris and Rome?") == "medium");
  BOOST_TEST(level("Check the weather in Paris for the weekend and thanks") == "low");
}

// -- what is meant ---------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(an_emergency_is_high_in_any_words) {
  for (auto input :
    {"My son has swallowed a battery", "The bank account is being emptied right now",
      "All requests time out since the deploy", "My flight leaves in 40 minutes and I am stuck",
      "Aus dem Trockner kommen Flammen", "Mi padre se ha caído y no reacciona",
      "Mon bébé ne respire pas", "厨房着火了", "台所が燃えています"})
    BOOST_TEST(level(input) == "high", input);
}

BOOST_AUTO_TEST_CASE(danger_as_a_topic_is_low) {
  for (auto input : {"Write an essay about phishing", "What does error 503 mean?",
         "What does ASAP stand for?", "How do I use a fire extinguisher?",
         "Translate \"my house is on fire\" to German", "False alarm, everything is all right"})
    BOOST_TEST(level(input) == "low", input);
}

BOOST_AUTO_TEST_CASE(denied_haste_is_low) {
  for (auto input : {"It is not urgent, I only wondered what my balance is",
         "There's no rush, next week is fine", "Keine Eile", "No hay prisa", "不着急，下周再说"})
    BOOST_TEST(level(input) == "low", input);
}

BOOST_AUTO_TEST_CASE(agreement_is_no_request) {
  auto agreed = assess("In that case, please go ahead");
  BOOST_TEST(to_string(agreed.level) == "low");
  BOOST_TEST(agreed.requests.size() <= 1u);
}

BOOST_AUTO_TEST_CASE(clauses_that_begin_with_any_verb_count_if_there_are_several) {
  BOOST_TEST(assess("Read the file, drop the nulls and train a baseline").requests.size() == 3u);
  BOOST_TEST(assess("Buy milk, eggs and bread").requests.size() == 1u);
}

// -- limits of what is read -----------------------------------------------------------

BOOST_AUTO_TEST_CASE(only_the_beginning_of_an_input_is_read) {
  constexpr size_t several_megabytes = 8u << 20;
  std::string words;
  while (words.size() < several_megabytes)
    words += "in,";
  BOOST_TEST(
    assess("weather " + words + "?").requests.size() == default_config().urgency.requests.limit);
  std::string hyphens;
  while (hyphens.size() < several_megabytes)
    hyphens += "a-";
  BOOST_TEST(assess("weather " + hyphens).requests.size() == 1u);
  BOOST_TEST(level(std::string(several_megabytes, ' ') + "My card was stolen") == "low");
}

BOOST_AUTO_TEST_CASE(a_list_is_as_many_requests_as_are_counted) {
  std::string list = "Show the weather in Paris";
  for (auto i = 0; i < 100; ++i)
    list += ", Rome";
  BOOST_TEST(assess(list + " and Bonn").requests.size() == default_config().urgency.requests.limit);
}

BOOST_AUTO_TEST_CASE(a_request_is_quoted_in_part) {
  auto requests = assess("Show the weather in 5 " + std::string(10'000, 'x') + "s").requests;
  BOOST_REQUIRE(requests.size() == 5u);
  for (const auto& one : requests)
    BOOST_TEST(one.size() <= reading_limits::quoted_bytes);
}

BOOST_AUTO_TEST_CASE(a_decision_names_only_some_of_the_alerts) {
  std::vector<observation> live;
  for (auto i = 0; i < 2'000; ++i)
    live.push_back(from_tool(seen("obs_" + std::to_string(i), "alert", "About an email"),
      "gauge_" + std::to_string(i % 100)));
  for (auto i = 0; i < 2'000; ++i)
    live.push_back(seen("ask_" + std::to_string(i), "pending_confirmation", "Which email?"));
  auto result = assess("Reply to that email", live);
  BOOST_TEST(to_string(result.level) == "high");
  BOOST_TEST(result.reasons.size() == 2 * reading_limits::reasons);
}

BOOST_AUTO_TEST_CASE(only_the_beginning_of_an_alert_is_read) {
  auto padding = std::string(reading_limits::observation_bytes, '.');
  BOOST_TEST(level("Reply to that email", {seen("obs_1", "alert", padding + " email")}) == "low");
  BOOST_TEST(level("Reply to that email", {seen("obs_1", "alert", "email " + padding)}) == "high");
  std::vector<std::string> tags(32, std::string(64, 'x'));
  tags.emplace_back("email");
  BOOST_TEST(level("Reply to that email", {seen("obs_1", "alert", "Look", tags)}) == "low");
}

BOOST_AUTO_TEST_CASE(a_source_with_many_alerts_keeps_those_of_others_from_nobody) {
  std::vector<observation> live{from_tool(seen("obs_1", "alert", "The landlord called"), "gauge"),
    from_tool(seen("obs_2", "alert", "Smoke in the cellar"), "smoke_detector"),
    seen("obs_3", "risk_alert", "The door is open")};
  for (auto i = 1'000; i < 1'400; ++i)
    for (auto name : {"gauge", "scale"})
      live.push_back(
        from_tool(seen("obs_" + std::to_string(i), "alert", std::string(2'000, '.')), name));
  BOOST_TEST(level("Call the landlord", live) == "low"); // only a source's newest alerts are read
  BOOST_TEST(level("What about the cellar?", live) == "high");
  BOOST_TEST(level("Shut the door", live) == "high");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
