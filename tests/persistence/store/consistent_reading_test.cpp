#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"
#include "scratchpage/tests/support/require_value.hpp"

/// A store that reads from one state of the database while others write.

namespace scratchpage {

using namespace test;

namespace {

uint64_t groups_in(store& in, uint64_t agent) {
  uint64_t result = 0;
  auto err = in.read_journal(agent, 0, [&](journal_group&&) { return ++result > 0; });
  BOOST_TEST(!err);
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(consistent_reading)

BOOST_AUTO_TEST_CASE_TEMPLATE(sees_nothing_of_what_is_written_meanwhile, Place, every_store) {
  placed<Place> x;
  auto owner = claim(*x.tested);
  BOOST_REQUIRE(!append(*x.tested, next(owner, 0)));
  auto then = require_value(sql_store::open_consistent(x.place.connector()));
  for (uint64_t after = 1; after < 40; ++after)
    BOOST_REQUIRE(!append(*x.tested, next(owner, after)));
  BOOST_REQUIRE(!x.tested->forget_journal(owner, 1));
  claim(*x.tested, "bob");
  BOOST_TEST(groups_in(*then, owner.agent) == 1u);
  BOOST_TEST(require_value(then->end_of_journal(owner.agent)) == 1u);
  BOOST_TEST(require_value(then->agents()).size() == 1u);
  auto now = require_value(sql_store::open_consistent(x.place.connector()));
  BOOST_TEST(groups_in(*now, owner.agent) == 39u);
  BOOST_TEST(require_value(now->agents()).size() == 2u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refuses_to_write, Place, every_store) {
  placed<Place> x;
  auto owner = claim(*x.tested);
  auto then = require_value(sql_store::open_consistent(x.place.connector()));
  BOOST_TEST((code_of(append(*then, next(owner, 0))) == errc::storage_unavailable));
  BOOST_TEST((code_of(then->scrub()) == errc::storage_unavailable));
  BOOST_TEST(!append(*x.tested, next(owner, 0)));
  BOOST_TEST(groups_in(*then, owner.agent) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
