#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "scratchpage/runtime/cluster/placement.hpp"

/// Where an agent should live.

namespace scratchpage::cluster {

namespace {

constexpr int agents = 20'000;

std::string agent(int i) {
  return "agent-" + std::to_string(i);
}

std::string node_of(int i, const std::vector<placeable_node>& nodes) {
  auto place = place_of(agent(i), nodes);
  BOOST_REQUIRE(place.has_value());
  return nodes[*place].name;
}

std::map<std::string, int> counted(const std::vector<placeable_node>& nodes) {
  std::map<std::string, int> result;
  for (int i = 0; i < agents; ++i)
    ++result[node_of(i, nodes)];
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(placement)

BOOST_AUTO_TEST_CASE(without_a_node_that_has_a_capacity_there_is_no_place) {
  BOOST_TEST(!place_of("ada", {}));
  const std::vector<placeable_node> none{{"a", 0}, {"b", -1}};
  BOOST_TEST(!place_of("ada", none));
}

BOOST_AUTO_TEST_CASE(all_nodes_agree_in_whatever_order_they_know_each_other) {
  const std::vector<placeable_node> one{{"a"}, {"b"}, {"c"}};
  const std::vector<placeable_node> other{{"c"}, {"a"}, {"b"}};
  for (int i = 0; i < 1'000; ++i)
    BOOST_TEST(node_of(i, one) == node_of(i, other));
}

BOOST_AUTO_TEST_CASE(each_node_gets_a_share_of_the_agents_by_its_capacity) {
  auto found = counted({{"a", 1}, {"b", 1}, {"c", 2}, {"d", 0}});
  BOOST_TEST(std::abs(found["a"] - agents / 4) < agents / 50);
  BOOST_TEST(std::abs(found["b"] - agents / 4) < agents / 50);
  BOOST_TEST(std::abs(found["c"] - agents / 2) < agents / 50);
  BOOST_TEST(found["d"] == 0);
}

BOOST_AUTO_TEST_CASE(only_the_agents_of_a_node_that_goes_get_another) {
  const std::vector<placeable_node> before{{"a"}, {"b"}, {"c"}, {"d"}};
  const std::vector<placeable_node> after{{"a"}, {"b"}, {"d"}};
  for (int i = 0; i < 2'000; ++i)
    if (auto was = node_of(i, before); was != "c")
      BOOST_TEST(node_of(i, after) == was);
}

BOOST_AUTO_TEST_CASE(a_node_with_more_capacity_loses_no_agent) {
  const std::vector<placeable_node> before{{"a"}, {"b"}, {"c"}};
  const std::vector<placeable_node> after{{"a"}, {"b"}, {"c", 1.5}};
  for (int i = 0; i < 2'000; ++i)
    if (node_of(i, before) == "c" || node_of(i, after) != "c")
      BOOST_TEST(node_of(i, after) == node_of(i, before));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::cluster
