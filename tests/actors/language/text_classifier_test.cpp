#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numeric>
#include <string>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/text_classifier.hpp"
#include "scratchpage/actors/language/text_features.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view two_classes =
  "hundredths\tyes\tno\n*\t50\t\nnot sure\t-300\t300\nsure\t200\t\n";

bool sees(std::string_view text, const std::string& feature) {
  auto found = text_features(text);
  return std::find(found.begin(), found.end(), feature) != found.end();
}

} // namespace

BOOST_AUTO_TEST_SUITE(classifier)

BOOST_AUTO_TEST_CASE(it_sees_words_and_runs_of_them_and_how_a_text_begins_and_ends) {
  for (const auto* feature :
    {"book", "book a", "book a table", "^ book", "table $", "has ?", "ends ?"})
    BOOST_TEST(sees("Book a table?", feature), feature);
  BOOST_TEST(!sees("Book a table? Please", "ends ?"));
  BOOST_TEST(sees("At 11:30", "at #"));
}

BOOST_AUTO_TEST_CASE(it_sees_the_characters_of_scripts_without_spaces) {
  for (const auto* feature : {"火", "火 事", "ends !"})
    BOOST_TEST(sees("火事だ！", feature), feature);
}

BOOST_AUTO_TEST_CASE(it_reads_a_bounded_part_of_a_text) {
  std::string longest;
  while (longest.size() < 10 * feature_limits::text_bytes)
    longest += "word" + std::string(1 + longest.size() % 17, 'x') + " ";
  BOOST_TEST(text_features(longest).size() <= feature_limits::features + 4);
  BOOST_TEST(!sees(longest + "end", "end"));
}

BOOST_AUTO_TEST_CASE(the_weights_of_what_it_sees_decide) {
  auto classifier = text_classifier::read(two_classes);
  BOOST_REQUIRE(classifier);
  BOOST_TEST(classifier->classify("Sure.").name == "yes");
  BOOST_TEST(classifier->classify("I am not sure").name == "no");
  BOOST_TEST(classifier->classify("").name == "yes");
  auto all = classifier->probabilities("Sure");
  BOOST_TEST(std::accumulate(all.begin(), all.end(), 0.0) == 1, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(classifier->probability("Sure", "yes") == all[0]);
  BOOST_TEST(classifier->probability("Sure", "maybe") == 0);
}

BOOST_AUTO_TEST_CASE(weights_that_are_none_are_refused_with_their_line) {
  for (const auto* text : {"", "hundredths\n", "classes\ta\tb\n"})
    BOOST_TEST(field_of(text_classifier::read(text).error()) == "line 1", text);
  for (const auto* line : {"x\t1\n", "x\t1\ty\n", "x\t1\t2\t3\n", "\t1\t2\n", "x\t1\tinf\n",
         "x\t1\t-\n", "x\t0.5\t1\n", "x\t1\t1234567\n"})
    BOOST_TEST(
      field_of(text_classifier::read(std::string{"hundredths\ta\tb\n"} + line).error()) == "line 2",
      line);
  BOOST_TEST(
    field_of(text_classifier::read("hundredths\ta\tb\ny\t1\t2\nx\t1\t2\n").error()) == "line 3");
}

BOOST_AUTO_TEST_CASE(every_classifier_of_the_program_can_be_read) {
  for (const auto* one : {&language::clarity(), &language::failure(), &language::output(),
         &language::reply(), &language::response(), &language::statement(), &language::urgency(),
         &language::wish(), &language::worth()})
    BOOST_TEST(one->classes().size() >= 2);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
