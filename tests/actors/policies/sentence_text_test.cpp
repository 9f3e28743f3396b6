#include "scratchpage/actors/policies/sentence_text.hpp"

#include <boost/test/unit_test.hpp>

namespace scratchpage {

BOOST_AUTO_TEST_SUITE(sentence_text_tests)

BOOST_AUTO_TEST_CASE(sentences_end_at_their_signs) {
  auto all = sentences_of("I see. It costs 4.50 at St. James! OK? 好。是吗？");
  BOOST_TEST_REQUIRE(all.size() == 5u);
  BOOST_TEST(all[1] == "It costs 4.50 at St. James!");
  BOOST_TEST(all[3] == "好。");
  BOOST_TEST(sentences_of(" ... ").empty());
  BOOST_TEST(sentences_of("4. I also need a cab.").size() == 2u);
  BOOST_TEST(sentences_of("There are two:\n1. Sino\n2. Nora's").size() == 3u);
}

BOOST_AUTO_TEST_CASE(names_within_a_sentence_are_masked) {
  BOOST_TEST(with_names_masked("How about Blue Moon by The Marcels?") == "How about Xx by Xx?");
  BOOST_TEST(with_names_masked("Please confirm: You and I pay Peter.")
             == "Please confirm: You and I pay Xx.");
}

BOOST_AUTO_TEST_CASE(the_first_name_is_found) {
  BOOST_TEST(first_name_in("I found Blue Moon, and Sino.") == "Blue Moon");
  BOOST_TEST(first_name_in("I found nothing.") == "");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
