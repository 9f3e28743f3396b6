#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

#include "scratchpage/actors/tools/input_schema.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

/// The list of all operations.

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(operation_list)

BOOST_AUTO_TEST_CASE(every_operation_has_a_name_of_its_own_a_description_and_a_schema) {
  std::set<std::string_view> names;
  for (const auto& x : all_operations()) {
    BOOST_TEST(names.insert(x.name).second, x.name);
    BOOST_TEST(!x.description.empty(), x.name);
    BOOST_TEST(x.input_schema().at("type").as_string() == "object", x.name);
  }
  BOOST_TEST(names.size() > 20u);
}

BOOST_AUTO_TEST_CASE(an_operation_is_found_by_its_whole_name) {
  BOOST_REQUIRE(!all_operations().empty());
  for (const auto& x : all_operations())
    BOOST_TEST(find_operation(x.name) == &x, x.name);
  for (const auto* name : {"", "a", "add_observatio", "add_observationss", "zoo"})
    BOOST_TEST(find_operation(name) == nullptr, name);
}

BOOST_AUTO_TEST_CASE(what_only_reads_changes_nothing_and_may_be_repeated) {
  BOOST_TEST(!changes_something("turns_list"));
  BOOST_TEST(changes_something("add_observation"));
  BOOST_TEST(!changes_something("fly"));
  BOOST_TEST(find_operation("turns_list")->idempotent());
  BOOST_TEST(find_operation("scratch_pin")->idempotent());
  BOOST_TEST(!find_operation("add_observation")->idempotent());
}

BOOST_AUTO_TEST_CASE(only_the_agents_owner_may_add_a_type) {
  BOOST_TEST(!check_principal("register_type", as_admin("root")));
  BOOST_TEST(!!check_principal("register_type", as_user("ann")));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
