#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_CASE(the_registry_begins_with_what_the_contract_names) {
  type_registry types{page_config{}.types};
  for (auto* type : {"observation", "contextual_insight", "action_suggestion", "pattern_detected",
         "pending_confirmation", "dependency", "reminder", "risk_alert", "security_alert", "alert",
         "error_alert", "recovery_plan", "routing_decision", "execution_plan", "evaluation_result",
         "constraint_check", "learning", "tool_result", "user_input", "compaction"})
    BOOST_TEST(types.knows(type), type);
  BOOST_TEST(!types.knows("rumour"));
  BOOST_TEST(!types.knows(""));
}

BOOST_AUTO_TEST_CASE(a_type_is_a_letter_and_then_letters_digits_and_underscores) {
  for (const auto& good : {std::string{"a"}, std::string{"a_1"}, "a" + std::string(63, '9')})
    BOOST_TEST(type_registry::is_well_formed(good), good);
  for (const auto& bad : {std::string{}, std::string{"_a"}, std::string{"1a"}, std::string{"Aa"},
         std::string{"a-b"}, std::string{"a b"}, std::string{"é"}, std::string(65, 'a')})
    BOOST_TEST(!type_registry::is_well_formed(bad), bad);
}

BOOST_AUTO_TEST_CASE(a_type_may_be_added_once_and_again) {
  type_registry types{{"b"}};
  BOOST_TEST(!types.add("a"));
  BOOST_TEST(!types.add("a"));
  BOOST_TEST(types.knows("a"));
  BOOST_CHECK(refused(caf::expected<void>{types.add("A")}, errc::invalid_request, "type"));
  BOOST_TEST(!types.knows("A"));
}

BOOST_AUTO_TEST_CASE(ill_formed_types_of_a_configuration_are_left_out) {
  type_registry types{{"good", "Bad", "", "good"}};
  BOOST_TEST(types.knows("good"));
  BOOST_TEST(!types.knows("Bad"));
  BOOST_TEST(contains(describe(types.unknown("x")), "known are good"));
}

} // namespace scratchpage::test
