#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/messages/text/tokens.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_SUITE(a_token_estimate)

BOOST_AUTO_TEST_CASE(is_nothing_for_nothing) {
  BOOST_TEST(estimate_tokens("") == 0u);
}

BOOST_AUTO_TEST_CASE(is_not_below_what_common_vocabularies_need) {
  // At least the counts of cl100k, or one for each word, digit and punctuation mark.
  BOOST_TEST(estimate_tokens("The user prefers Burgundy wines.") >= 7u);
  BOOST_TEST(estimate_tokens("a b c d e") >= 5u);
  BOOST_TEST(estimate_tokens("20251105") >= 8u);
  BOOST_TEST(estimate_tokens(R"({"a":[1,2]})") >= 9u);
  BOOST_TEST(estimate_tokens("工具失败") >= 8u);
  BOOST_TEST(estimate_tokens("🍷") >= 3u);
}

BOOST_AUTO_TEST_CASE(is_not_far_above_for_plain_words) {
  BOOST_TEST(estimate_tokens("The user prefers Burgundy wines to those of Bordeaux") <= 18u);
}

BOOST_AUTO_TEST_CASE(of_a_whole_is_at_most_the_sum_over_its_lines) {
  BOOST_TEST(rc::check("estimate(a + b) <= estimate(a) + estimate(b)", [] {
    auto a = *rc::gen::string<std::string>() + "\n";
    auto b = *rc::gen::string<std::string>() + "\n";
    RC_ASSERT(estimate_tokens(a + b) <= estimate_tokens(a) + estimate_tokens(b));
  }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
