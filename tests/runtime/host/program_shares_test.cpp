#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/host/program_shares.hpp"
#include "scratchpage/tests/support/callers.hpp"

namespace scratchpage::test {

namespace {

/// Opens as many agents as it may, at most 100, and returns their number.
size_t open_all(program_shares& of, const caller& by) {
  size_t result = 0;
  for (; result < 100 && !of.check(by); ++result)
    of.enter(program_shares::key_of(by));
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(shares_of_programs)

BOOST_AUTO_TEST_CASE(one_program_has_three_quarters) {
  program_shares shares{20};
  auto bot = as_daemon("assistant");
  BOOST_TEST(open_all(shares, bot) == 15u);
  auto refused = shares.check(bot);
  BOOST_TEST((code_of(refused) == errc::overloaded));
  BOOST_TEST(field_of(refused) == "agent");
  BOOST_TEST(open_all(shares, as_daemon("other")) == 15u); // the host limits the sum
}

BOOST_AUTO_TEST_CASE(what_it_has_closed_does_not_count) {
  program_shares shares{20};
  auto bot = as_daemon("assistant");
  open_all(shares, bot);
  shares.leave(program_shares::key_of(bot));
  BOOST_TEST(!shares.check(bot));
}

BOOST_AUTO_TEST_CASE(programs_without_a_token_count_as_one) {
  program_shares shares{20};
  open_all(shares, claimed("one"));
  BOOST_TEST(bool{shares.check(claimed("two"))});
}

BOOST_AUTO_TEST_CASE(persons_have_no_share) {
  program_shares shares{20};
  BOOST_TEST(open_all(shares, as_user("ann")) == 100u);
  shares.leave(program_shares::key_of(as_user("ann")));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
