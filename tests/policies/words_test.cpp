#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/actors/policies/words.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(words_are_lower_case_and_keep_inner_apostrophes) {
  BOOST_TEST(listed(words_of("Don\xE2\x80\x99t CALL 'weather_api', s'il vous plaît!"))
             == "don't call weather api s'il vous plaît");
  BOOST_TEST(words_of(" .,; ").empty());
}

BOOST_AUTO_TEST_CASE(a_stem_is_shared_by_the_forms_of_a_word) {
  BOOST_TEST(stem("cities") == stem("city"));
  BOOST_TEST(stem("payments") == stem("payment"));
}

BOOST_AUTO_TEST_CASE(a_star_stands_for_any_text) {
  BOOST_TEST(matches_pattern("verify_*", "verify_email"));
  BOOST_TEST(matches_pattern("*_api*", "weather_api"));
  BOOST_TEST(matches_pattern("a*b*c", "a-b-b-c"));
  BOOST_TEST(!matches_pattern("verify_*", "re_verify_email"));
  BOOST_TEST(!matches_pattern("a*b", "a-b-c"));
  BOOST_TEST(!matches_pattern("verify", "verify_email"));
}

BOOST_AUTO_TEST_CASE(phrases_match_whole_words_only) {
  phrase_list phrases{{"right away", "danger*"}};
  BOOST_TEST(phrases.find_in(words_of("do it right away, please")) != nullptr);
  BOOST_TEST(*phrases.find_in(words_of("a dangerous road")) == "danger*");
  BOOST_TEST(phrases.find_in(words_of("turn right at the far away hill")) == nullptr);
  BOOST_TEST(phrases.find_in(words_of("right")) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_dotted_path_reaches_into_objects_only) {
  auto object = parse_object(R"({"a":{"b":{"c":"x"}},"n":2})");
  BOOST_TEST(text_at(object, "a.b.c") == "x");
  BOOST_TEST(text_at(object, "a.b").empty());
  BOOST_TEST(at_path(object, "n.b") == nullptr);
  BOOST_TEST(number_at(object, "n").value() == 2.0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
