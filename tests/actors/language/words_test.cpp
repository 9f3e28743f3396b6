#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(words_are_lower_case_and_keep_inner_apostrophes) {
  BOOST_TEST(listed(words_of("Don\xE2\x80\x99t CALL 'weather_api', s'il vous plaît!"))
             == "don't call weather api s'il vous plaît");
  BOOST_TEST(words_of(" .,; ").empty());
}

BOOST_AUTO_TEST_CASE(an_apostrophe_is_one_however_it_is_written) {
  for (const auto* text : {"don't", "don`t", "don\xC2\xB4t", "don\xCA\xBCt", "don\xE2\x80\x98t",
         "don\xE2\x80\x99t", "don\xEF\xBC\x87t"})
    BOOST_TEST(listed(words_of(text)) == "don't", text);
  BOOST_TEST(listed(words_of("\xE2\x80\x98quoted\xE2\x80\x99 `code`")) == "quoted code");
}

BOOST_AUTO_TEST_CASE(punctuation_ends_a_clause_and_none_within_a_name_does) {
  auto clauses = [](std::string_view text) {
    std::vector<std::string> result;
    for (auto one : clauses_of(text))
      if (auto words = words_of(one); !words.empty())
        result.push_back(joined(words, "_"));
    return listed(result);
  };
  BOOST_TEST(clauses("No, problem.") == "no problem");
  BOOST_TEST(clauses("no problem") == "no_problem");
  BOOST_TEST(clauses("Yes: store.erase - now (all)!") == "yes store_erase now all");
  BOOST_TEST(clauses("go-ahead\nnow") == "go_ahead now");
  BOOST_TEST(clauses("").empty());
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

BOOST_AUTO_TEST_CASE(a_star_before_a_word_stands_for_any_beginning) {
  phrase_list phrases{{"*n't"}};
  BOOST_TEST(phrases.find_in(words_of("I couldn't say")) != nullptr);
  BOOST_TEST(phrases.find_in(words_of("I could not say n't is a word")) != nullptr);
  BOOST_TEST(phrases.find_in(words_of("want it")) == nullptr);
}

BOOST_AUTO_TEST_CASE(of_two_phrases_at_a_place_the_longer_counts_and_of_equal_ones_the_first) {
  phrase_list phrases{{"turn*", "turn right", "turn right now", "turn * now", "right"}};
  BOOST_TEST(*phrases.find_in(words_of("turn right here")) == "turn right");
  BOOST_TEST(*phrases.find_in(words_of("now turn right now")) == "turn right now");
  BOOST_TEST(*phrases.find_in(words_of("turning right")) == "turn*");
  phrase_list alike{{"turn*", "turn", "*rn"}};
  BOOST_TEST(*alike.find_in(words_of("turn")) == "turn*");
  BOOST_TEST(*alike.find_in(words_of("burn")) == "*rn");
}

BOOST_AUTO_TEST_CASE(words_are_those_of_the_text_whichever_texts_were_read_before) {
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 500; ++i) {
      auto number = std::to_string(i);
      BOOST_TEST(listed(words_of("Take bus " + number)) == "take bus " + number);
    }
  auto kept = words_of("One thing");
  kept.clear(); // the copy is the caller's
  BOOST_TEST(listed(words_of("One thing")) == "one thing");
}

BOOST_AUTO_TEST_CASE(a_key_of_words_has_the_numbers_of_a_text_and_what_it_is_about_has_not) {
  content_words content{{"to", "up"}, 2};
  auto words = words_of("Pays up to 9 euros");
  BOOST_TEST(listed(content.in_order(words)) == "pay 9 euro");
  BOOST_TEST(listed(content.stems(words)) == "euro pay");
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
