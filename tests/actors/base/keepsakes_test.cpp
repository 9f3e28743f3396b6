#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(what_is_kept_during_a_rest)

BOOST_AUTO_TEST_CASE(a_value_is_taken_once) {
  keepsakes kept;
  kept.put(std::string{"heard"}, 5);
  BOOST_TEST(kept.take<std::string>().value() == "heard");
  BOOST_TEST(!kept.take<std::string>());
  BOOST_TEST(!kept.take<int>());
}

BOOST_AUTO_TEST_CASE(values_of_different_types_do_not_disturb_each_other) {
  keepsakes kept;
  kept.put(std::string{"heard"}, 5);
  kept.put(7, 4);
  BOOST_TEST(kept.take<int>().value() == 7);
  BOOST_TEST(kept.take<std::string>().value() == "heard");
}

BOOST_AUTO_TEST_CASE(its_bytes_are_told) {
  keepsakes kept;
  auto empty = kept.bytes();
  kept.put(std::make_unique<int>(1), 1'000);
  BOOST_TEST(kept.bytes() > empty + 1'000);
  kept.take<std::unique_ptr<int>>();
  BOOST_TEST(kept.bytes() == empty);
}

BOOST_AUTO_TEST_CASE(a_counter_goes_on) {
  keepsakes kept;
  ++*kept.counter(1, 10);
  BOOST_TEST(*kept.counter(1, 10) == 11u);
  BOOST_TEST(*kept.counter(2, 0) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
