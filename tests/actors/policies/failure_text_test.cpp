#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/policies/recovery_policy.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_SUITE(failure_text)

BOOST_AUTO_TEST_CASE(says_why_a_tool_failed) {
  auto why = [](std::string_view text) { return failure_in(text).value_or("none"); };
  BOOST_TEST(why("Error: card refused") == "Error: card refused");
  BOOST_TEST(why(R"({"error": "card refused"})") == "card refused");
  BOOST_TEST(why(R"({"error": {"message": "card refused", "code": 7}})") == "card refused");
  BOOST_TEST(why(R"({"error": {"code": 7}})") == R"({"code":7})");
  BOOST_TEST(why(R"({"error": true})") == "true");
}

BOOST_AUTO_TEST_CASE(takes_no_success_for_a_failure) {
  for (const auto* text : {"", "No Error", R"({"error": null})", R"({"error": false})",
         R"({"error": ""})", R"({"errors": 0})", R"({"error": )", R"(["error"])"})
    BOOST_TEST(!failure_in(std::string_view{text}), text);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
