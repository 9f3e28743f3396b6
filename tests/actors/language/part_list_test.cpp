#include <boost/test/unit_test.hpp>

#include <array>
#include <string>

#include "scratchpage/actors/language/part_list.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_SUITE(parts)

BOOST_AUTO_TEST_CASE(a_part_is_found_wherever_it_stands) {
  const part_list parts{"failed", "no longer", "失败", "?"};
  for (const auto* text : {"It failed", "failed", "It is no longer there", "操作失败了", "And?"})
    BOOST_TEST(parts.occurs_in(text), text);
  for (const auto* text : {"", "fail", "no long", "faile", "失", "nolonger"})
    BOOST_TEST(!parts.occurs_in(text), text);
}

BOOST_AUTO_TEST_CASE(a_list_of_nothing_occurs_nowhere) {
  BOOST_TEST(!part_list{}.occurs_in("anything"));
}

BOOST_AUTO_TEST_CASE(parts_that_begin_alike_are_found_like_those_that_are_searched_one_by_one) {
  constexpr std::array<std::string_view, 5> all{"abca", "abc", "bca", "cab", "aab"};
  const part_list parts{all[0], all[1], all[2], all[3], all[4]};
  constexpr size_t texts = 243; // of five letters
  for (size_t n = 0; n < texts; ++n) {
    std::string text;
    for (size_t rest = n, i = 0; i < 5; ++i, rest /= 3)
      text += static_cast<char>('a' + rest % 3);
    auto expected = false;
    for (auto one : all)
      expected = expected || text.find(one) != std::string::npos;
    BOOST_TEST(parts.occurs_in(text) == expected, text);
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
