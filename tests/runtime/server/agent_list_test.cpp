#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/server/agent_list.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/require_value.hpp"

namespace scratchpage::server {

namespace {

std::string name_of(size_t n) {
  return "agent " + std::to_string(100'000 + n);
}

/// A store with many agents, of which a caller may use some.
struct many_agents {
  memory_store in;

  explicit many_agents(size_t count) {
    for (size_t n = 0; n < count; ++n)
      BOOST_REQUIRE(in.claim(name_of(n)));
  }

  agent_list list(const std::string& query, const agent_check& check = {}) {
    return test::require_value(list_some(in, test::require_value(read_list_order(query)), check));
  }
};

agent_check only(std::vector<std::string> ids) {
  return [ids = std::move(ids)](const std::string& id) {
    auto may = std::find(ids.begin(), ids.end(), id) != ids.end();
    return may ? caf::error{} : fail(errc::forbidden, "agent", "expected another one");
  };
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_list_of_agents)

BOOST_AUTO_TEST_CASE(has_all_that_fit_and_no_cursor) {
  many_agents x{3};
  auto all = x.list("");
  BOOST_TEST(
    all.ids == (std::vector{name_of(0), name_of(1), name_of(2)}), boost::test_tools::per_element());
  BOOST_TEST(all.next_cursor == "");
  BOOST_TEST(x.list("limit=3").next_cursor == "");
  BOOST_TEST(many_agents{0}.list("").ids.empty());
}

BOOST_AUTO_TEST_CASE(is_read_in_parts_that_leave_out_none_and_repeat_none) {
  many_agents x{10};
  std::vector<std::string> found;
  std::string query = "limit=4";
  for (int parts = 1;; ++parts) {
    auto part = x.list(query);
    found.insert(found.end(), part.ids.begin(), part.ids.end());
    if (part.next_cursor.empty()) {
      BOOST_TEST(parts == 3);
      break;
    }
    BOOST_TEST(part.ids.size() == 4u);
    query = "limit=4&cursor=agent%20" + part.next_cursor.substr(6);
  }
  BOOST_REQUIRE(found.size() == 10u);
  for (size_t n = 0; n < found.size(); ++n)
    BOOST_TEST(found[n] == name_of(n));
}

BOOST_AUTO_TEST_CASE(looks_at_only_so_many_that_the_caller_may_not_use) {
  many_agents x{agent_list_limits::looked_at + 1'500};
  auto last = name_of(agent_list_limits::looked_at + 1'400);
  auto first = x.list("", only({name_of(7), last}));
  BOOST_TEST(first.ids == std::vector{name_of(7)}, boost::test_tools::per_element());
  BOOST_TEST(first.next_cursor == name_of(agent_list_limits::looked_at - 1));
  auto second = x.list("cursor=agent%20" + first.next_cursor.substr(6), only({name_of(7), last}));
  BOOST_TEST(second.ids == std::vector{last}, boost::test_tools::per_element());
  BOOST_TEST(second.next_cursor == "");
}

BOOST_AUTO_TEST_CASE(refuses_a_query_that_it_does_not_know) {
  for (const auto& [query, field] :
    std::initializer_list<std::pair<std::string, std::string>>{{"limit=0", "limit"},
      {"limit=1001", "limit"}, {"limit=-1", "limit"}, {"limit=", "limit"}, {"limit=1x", "limit"},
      {"limit=99999999999999999999", "limit"}, {"limit=1&limit=2", "limit"},
      {"cursor=a&cursor=b", "cursor"}, {"details=1", "details"}, {"limits=1", "limits"}}) {
    auto order = read_list_order(query);
    BOOST_REQUIRE(!order);
    BOOST_TEST(field_of(order.error()) == field, query);
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::server
