#include <atomic>
#include <string>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"
#include "scratchpage/tests/support/callers.hpp"
#include "scratchpage/tests/support/require_value.hpp"

/// The operation `page_at` beside a page that goes on.

namespace scratchpage::test {

namespace {

struct host_with_a_past : hosted {
  host_with_a_past() { by = as_daemon("assistant"); }

  void add(int number) {
    call("ada", "add_observation",
      {{"type", "observation"}, {"content", "Observation " + std::to_string(number)}});
  }

  json::value page_at(json::object which) { return call("ada", "page_at", std::move(which)); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(past_pages_of_a_host, host_with_a_past)

BOOST_AUTO_TEST_CASE(show_what_was_there_after_each_change) {
  add(1);
  add(2);
  add(3);
  auto then = page_at({{"sequence", 2}});
  BOOST_TEST(then.at("total_count").to_number<int>() == 2);
  BOOST_TEST(then.at("observations").at(0).at("content").as_string() == "Observation 2");
  BOOST_TEST(then.at("last_sequence").to_number<int>() >= 3);
  auto at = std::string{then.at("at").as_string()};
  BOOST_TEST(page_at({{"at", at}}).at("sequence").to_number<int>() >= 2);
}

/// Each answer is of one state: the page after a change has all changes up to it.
BOOST_AUTO_TEST_CASE(are_of_one_state_while_additions_go_on) {
  add(0);
  std::atomic<int> read = 0;
  std::thread reader{[&] {
    while (read < 20) {
      auto then = page_at({{"limit", 1}});
      auto sequence = then.at("sequence").to_number<int>();
      // Only additions happen here, and each is one change.
      BOOST_TEST(then.at("total_count").to_number<int>() == sequence);
      BOOST_TEST(then.at("last_sequence").to_number<int>() == sequence);
      ++read;
    }
  }};
  for (int i = 1; read < 20; ++i)
    add(i);
  reader.join();
}

BOOST_AUTO_TEST_CASE(are_not_for_tools) {
  add(1);
  by = as_tool("thermometer");
  auto refused = try_to("ada", "page_at", {});
  BOOST_REQUIRE(!refused);
  BOOST_TEST((code_of(refused.error()) == errc::forbidden));
}

BOOST_AUTO_TEST_CASE(of_an_agent_without_any_change_are_empty) {
  auto then = page_at({});
  BOOST_TEST(then.at("sequence").to_number<int>() == 0);
  BOOST_TEST(then.at("observations").as_array().empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
