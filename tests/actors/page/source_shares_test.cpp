#define BOOST_TEST_MODULE source_shares
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "scratchpage/actors/page/source_shares.hpp"

namespace scratchpage {

namespace {

const source gauge{source_kind::tool, "gauge", {}, {}};
const source ann{source_kind::user, "ann", {}, {}};

} // namespace

BOOST_AUTO_TEST_CASE(each_source_has_a_share_of_its_own) {
  source_shares shares;
  auto first = shares.of(gauge);
  auto second = shares.of(ann);
  BOOST_TEST(first != second);
  BOOST_TEST(shares.of(gauge) == first);
  BOOST_TEST(shares.of({source_kind::daemon, "gauge", {}, {}}) != first);
  shares.count(first, 2, 300);
  shares.count(first, -1, -100);
  BOOST_TEST(shares.observations(first) == 1u);
  BOOST_TEST(shares.bytes(first) == 200u);
  BOOST_TEST(shares.observations(second) == 0u);
}

BOOST_AUTO_TEST_CASE(words_that_somebody_relays_are_the_relays_and_no_persons) {
  source_shares shares;
  source relayed{source_kind::user, "ann", {}, {}, "assistant"};
  BOOST_TEST(shares.of(relayed) == shares.of({source_kind::daemon, "assistant", {}, {}}));
  BOOST_TEST(shares.is_persons(shares.of(ann)));
  BOOST_TEST(!shares.is_persons(shares.of(relayed)));
}

BOOST_AUTO_TEST_CASE(those_that_come_when_there_are_many_count_together) {
  source_shares shares;
  auto of = [&](int i) {
    return shares.of({source_kind::tool, "tool" + std::to_string(i), {}, {}});
  };
  for (int i = 0; i < source_shares::max_shares; ++i)
    of(i);
  auto late = of(5'000);
  BOOST_TEST(late < source_shares::max_shares);
  BOOST_TEST(of(6'000) == late);
  BOOST_TEST(of(7) != late);
  source person{source_kind::user, "late", {}, {}};
  BOOST_TEST(shares.is_persons(shares.of(person)));
}

BOOST_AUTO_TEST_CASE(those_whose_names_nobody_has_checked_are_one_principal) {
  source_shares shares;
  auto first = shares.of(gauge);
  auto second = shares.of({source_kind::daemon, "other", {}, {}});
  auto of_principal = [&](source_shares::share x) {
    std::vector<source_shares::share> result;
    shares.for_each_of_principal(x, [&](auto one) { result.push_back(one); });
    return result;
  };
  BOOST_TEST(of_principal(first) == (std::vector{first}), boost::test_tools::per_element());
  for (auto x : {first, second, first})
    shares.claim(x);
  BOOST_TEST(
    of_principal(second) == (std::vector{first, second}), boost::test_tools::per_element());
  auto persons = shares.of(ann);
  BOOST_TEST(of_principal(persons) == (std::vector{persons}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_never_evicted_counts_as_what_it_is_now) {
  source_shares shares;
  auto x = shares.of(gauge);
  shares.guard(1, {x, 100, true, false});
  shares.guard(2, {x, 50, false, true});
  shares.guard(1, {x, 300, true, true});
  BOOST_TEST(shares.open(x) == 1u);
  BOOST_TEST(shares.evidence(x) == 2u);
  BOOST_TEST(shares.guarded_bytes(x) == 350u);
  shares.guard(1, {});
  shares.guard(1, {});
  BOOST_TEST(shares.open(x) == 0u);
  BOOST_TEST(shares.evidence(x) == 1u);
  BOOST_TEST(shares.guarded_bytes(x) == 50u);
}

BOOST_AUTO_TEST_CASE(what_counts_for_a_share_is_not_its_own_on_the_page) {
  source_shares shares;
  auto x = shares.of(gauge);
  shares.charge(x, 2, 300);
  shares.charge(x, -1, -100);
  BOOST_TEST(shares.charged(x) == 1u);
  BOOST_TEST(shares.charged_bytes(x) == 200u);
  BOOST_TEST(shares.observations(x) == 0u);
}

} // namespace scratchpage
