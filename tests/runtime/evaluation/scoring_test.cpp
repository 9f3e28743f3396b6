#define BOOST_TEST_MODULE evaluation
#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/evaluation/scoring.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_SUITE(scoring_of_decisions)

BOOST_AUTO_TEST_CASE(a_wrong_name_is_found_without_need_and_the_right_one_is_missed) {
  scoring x;
  BOOST_TEST(!x.count(figure::urgency, {"high"}, {"low"}));
  BOOST_TEST((x.of(figure::urgency) == tally{0, 1, 1, 1, 1}));
  BOOST_TEST(x.values_of(figure::urgency).at("low").fp == 1u);
  BOOST_TEST(x.values_of(figure::urgency).at("high").fn == 1u);
}

BOOST_AUTO_TEST_CASE(any_accepted_name_is_right) {
  scoring x;
  BOOST_TEST(x.count(figure::assessment, {"failed", "more_work"}, {"more_work"}));
  BOOST_TEST((x.of(figure::assessment) == tally{1, 0, 0, 1, 0}));
}

BOOST_AUTO_TEST_CASE(nothing_where_nothing_should_be_is_right_and_has_no_share) {
  scoring x;
  BOOST_TEST(x.count(figure::asks_user, {""}, {}));
  BOOST_TEST(!x.of(figure::asks_user).f1());
}

BOOST_AUTO_TEST_CASE(waiting_as_a_whole_counts_whether_anything_is_asked) {
  scoring x;
  BOOST_TEST(!x.count(figure::waiting, {"confirm"}, {"inputs"}));
  BOOST_TEST(x.of(figure::waiting).tp == 1u);
  BOOST_TEST(x.values_of(figure::waiting).at("confirm").fn == 1u);
}

BOOST_AUTO_TEST_CASE(numbers_count_what_they_have_in_common) {
  scoring x;
  BOOST_TEST(!x.count(figure::goals_opened, 1, 3));
  BOOST_TEST((x.of(figure::goals_opened) == tally{1, 2, 0, 1, 1}));
  BOOST_TEST(*x.of(figure::goals_opened).f1() == 0.5);
  BOOST_TEST(x.of_daemon("frontal_cortex").fp == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
