#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/host/memory_plan.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(memory_watches)

BOOST_AUTO_TEST_CASE(more_than_there_may_be_is_refused_until_there_is_less) {
  uint64_t resident = 1'000;
  auto looks = 0;
  memory_watch watch{1'000, [&] {
                       ++looks;
                       return resident;
                     }};
  memory_watch::time_point now{};
  BOOST_TEST(!watch.check(now));
  resident = 1'001;
  BOOST_TEST(!watch.check(now)); // the last measurement is still used
  now += memory_watch::between_looks;
  auto refused = watch.check(now);
  BOOST_TEST((code_of(refused) == errc::overloaded));
  BOOST_TEST(field_of(refused) == "memory");
  resident = 999;
  BOOST_TEST(!!watch.check(now));
  now += memory_watch::between_looks;
  BOOST_TEST(!watch.check(now));
  BOOST_TEST(looks == 3);
}

BOOST_AUTO_TEST_CASE(the_system_tells_what_there_is) {
  BOOST_TEST(resident_memory() > 1u << 20);
  BOOST_TEST(resident_memory() < memory_of_system());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
