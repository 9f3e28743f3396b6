#include <limits>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/persistence/store/checksum.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(sums_of_rows)

/// The sums are stored in databases, so they must not change.
BOOST_AUTO_TEST_CASE(the_sum_of_a_row_is_that_of_its_numbers_as_text) {
  constexpr auto greatest = std::numeric_limits<uint64_t>::max();
  for (uint64_t number : {uint64_t{0}, uint64_t{7}, uint64_t{1'000'000}, greatest})
    for (uint64_t checksum : {uint64_t{0}, uint64_t{42}, greatest})
      BOOST_TEST(sum_of(number, checksum)
                 == checksum_of(std::to_string(number) + ' ' + std::to_string(checksum) + ' '));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
