#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/actors/page/write_rules.hpp"
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
  BOOST_TEST(contains(describe(types.unknown("x")), "You may add: good."));
}

BOOST_AUTO_TEST_CASE(an_unknown_type_is_answered_with_those_that_are_probably_meant) {
  type_registry types{page_config{}.types};
  auto answer = [&](const char* type) { return describe(types.unknown(type)); };
  BOOST_TEST(contains(answer("note"), "'note' is not registered; did you mean observation?"));
  BOOST_TEST(contains(answer("preference"), "did you mean contextual_insight?"));
  BOOST_TEST(contains(answer("warning"), "did you mean alert or risk_alert?"));
  BOOST_TEST(contains(answer("question"), "did you mean pending_confirmation?"));
  BOOST_TEST(contains(answer("error"), "did you mean error_alert?"));
  BOOST_TEST(contains(answer("Risk-Alert"), "did you mean risk_alert"));
  BOOST_TEST(contains(answer("observaton"), "did you mean observation?"));
  BOOST_TEST(!contains(answer("xyzzy"), "did you mean"));
  for (const auto& type : types.all())
    BOOST_TEST(contains(answer("xyzzy"), type), type);
}

BOOST_AUTO_TEST_CASE(
  an_answer_about_a_type_repeats_little_of_it_and_nothing_that_controls_a_reader) {
  type_registry types{{"good"}};
  BOOST_TEST(describe(types.unknown(std::string(100'000, 'x'))).size() < 400u);
  auto told = describe(types.unknown("a\n\x1b[2Jb"));
  BOOST_TEST(told.find('\n') == std::string::npos);
  BOOST_TEST(told.find('\x1b') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_caller_is_told_only_of_types_that_it_may_add) {
  type_registry types{page_config{}.types};
  write_rules rules{page_config{}.tool_types};
  observation_draft draft{"remark", "Smoke"};
  auto for_tool = describe(rules.check(draft, as_tool("gauge"), types));
  BOOST_TEST(contains(for_tool, "tool_result"));
  BOOST_TEST(!contains(for_tool, "routing_decision"));
  auto outside = as_daemon("assistant");
  outside.outside = true;
  auto for_agent = describe(rules.check(draft, outside, types));
  BOOST_TEST(contains(for_agent, "error_alert"));
  BOOST_TEST(!contains(for_agent, "user_input"));
  BOOST_CHECK(code_of(rules.check(draft, outside, types)) == errc::unknown_type);
}

} // namespace scratchpage::test
