#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

#include "scratchpage/actors/tools/input_schema.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

/// What is told of the operations.

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(operation_list)

BOOST_AUTO_TEST_CASE(every_operation_has_a_name_of_its_own_a_description_and_a_schema) {
  std::set<std::string_view> names;
  for (const auto& x : all_operations()) {
    BOOST_TEST(names.insert(x.name).second, x.name);
    BOOST_TEST(!x.description.empty(), x.name);
    BOOST_TEST(x.input_schema().at("type").as_string() == "object", x.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
