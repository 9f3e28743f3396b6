#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/policies/fact_reading.hpp"

namespace scratchpage {

namespace {

std::string told(std::string_view text, fact_speaker who = fact_speaker::user) {
  std::string result;
  for (const auto& one : read_facts(text, who))
    result += (result.empty() ? "" : " | ") + one.statement;
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(facts)

BOOST_AUTO_TEST_CASE(what_a_user_says_is_retold_in_the_third_person) {
  BOOST_TEST(told("I'm allergic to peanuts") == "User is allergic to peanuts");
  BOOST_TEST(told("we live in Berlin now") == "User lives in Berlin");
}

BOOST_AUTO_TEST_CASE(secrets_questions_and_quotations_are_no_facts) {
  BOOST_TEST(told("My PIN is 4711").empty());
  BOOST_TEST(told("Am I allergic to nuts?").empty());
  BOOST_TEST(told("She said \"I live in Rome\"").empty());
  BOOST_TEST(told("If I were rich, I would live in Rome").empty());
}

BOOST_AUTO_TEST_CASE(two_homes_have_one_key) {
  auto before = read_facts("I live in Leeds", fact_speaker::user);
  auto after = read_facts("I moved to Bristol", fact_speaker::user);
  BOOST_REQUIRE(before.size() == 1u);
  BOOST_REQUIRE(after.size() == 1u);
  BOOST_TEST(fact_key_of(before[0]) == fact_key_of(after[0]));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
