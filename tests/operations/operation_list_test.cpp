#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

#include "scratchpage/actors/memory/token_estimate.hpp"
#include "scratchpage/actors/tools/input_schema.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/agent_offers.hpp"
#include "scratchpage/runtime/operations/operation_list.hpp"

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

BOOST_AUTO_TEST_CASE(the_definitions_are_small) {
  uint32_t tokens = 0;
  mcp::agent_offers offers{mcp::run_operation{}};
  for (const auto& tool : offers.tools())
    tokens += estimate_tokens(to_text(tool));
  BOOST_TEST_MESSAGE(tokens << " tokens");
  // The estimate errs upward: a tokenizer in wide use (o200k_base) counts 1 239.
  BOOST_TEST(tokens < 3'000u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
