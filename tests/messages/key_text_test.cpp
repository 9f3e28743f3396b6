#include <boost/test/unit_test.hpp>

#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/key_text.hpp"

/// The texts that are allowed as keys.

namespace scratchpage::test {

namespace {

const std::string with_nul{"a\0b", 3};

std::string field_in(const caf::error& err) {
  return err ? field_of(err) : "none";
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_key_text)

BOOST_AUTO_TEST_CASE(is_utf_8_without_u_0000) {
  for (const auto* text : {"", "agent", "caf\u00e9", "\x01"})
    BOOST_TEST(is_key_text(text));
  BOOST_TEST(!is_key_text(with_nul));
  BOOST_TEST(!is_key_text("caf\xe9"));
}

BOOST_AUTO_TEST_CASE(is_made_of_what_nobody_has_checked) {
  BOOST_TEST(as_key_text("agent") == "agent");
  BOOST_TEST(as_key_text("") == "");
  BOOST_TEST(as_key_text(with_nul) == "a\uFFFDb");
  BOOST_TEST(as_key_text(std::string(2, '\0')) == "\uFFFD\uFFFD");
}

BOOST_AUTO_TEST_CASE(is_what_ids_of_turns_and_goals_are) {
  BOOST_TEST(field_in(check_turn_id(with_nul)) == "turn_id");
  BOOST_TEST(field_in(check_limits(get_goal{.by = {}, .goal_id = with_nul})) == "goal_id");
  create_goal request;
  request.draft.goal_id = with_nul;
  BOOST_TEST(field_in(check_limits(request)) == "draft.goal_id");
  request.draft.goal_id = "goal_1";
  BOOST_TEST(field_in(check_limits(request)) == "none");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
