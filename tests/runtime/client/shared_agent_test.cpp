#include <atomic>
#include <future>
#include <set>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/client/shared_agent.hpp"
#include "scratchpage/tests/support/require_value.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// Several processes on one data directory. Here each is an object of the same process, because a
/// lock belongs to an open file, not to a process.

namespace scratchpage::test {

namespace {

using client::shared_agent;

struct shared_directory : temp_dir {
  client::shared_agent_setup setup(const std::string& name = "ann") const {
    client::shared_agent_setup result;
    result.directory = path() / "data";
    result.agent_id = "ada";
    result.thread_id = "main";
    result.by = as_user(name);
    result.with = default_config();
    return result;
  }

  std::unique_ptr<shared_agent> open(const std::string& name = "ann") const {
    return require_value(shared_agent::open(setup(name)));
  }

  static json::value call(
    shared_agent& agent, const std::string& operation, json::object arguments) {
    return require_value(agent.call(operation, std::move(arguments)));
  }

  static json::value add(shared_agent& agent, const std::string& content) {
    return call(agent, "add_observation", {{"type", "observation"}, {"content", content}});
  }

  static int count(shared_agent& agent) {
    return call(agent, "query_observations", {}).at("total_count").to_number<int>();
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(shared_agents, shared_directory)

BOOST_AUTO_TEST_CASE(the_first_hosts_and_the_others_join) {
  auto first = open("ann");
  auto second = open("bob");
  BOOST_TEST(first->is_host());
  BOOST_TEST(!second->is_host());
  add(*first, "Smoke");
  auto seen = add(*second, "Fire");
  BOOST_TEST(seen.at("source").at("user").as_string() == "bob");
  BOOST_TEST(count(*first) == 2);
  BOOST_TEST(count(*second) == 2);
}

BOOST_AUTO_TEST_CASE(an_error_is_the_same_for_who_joined) {
  auto first = open();
  auto second = open();
  for (auto* one : {first.get(), second.get()}) {
    auto refused = one->call("add_observation", {{"type", "alert"}, {"content", " "}});
    BOOST_REQUIRE(!refused);
    BOOST_TEST((code_of(refused.error()) == errc::invalid_observation));
    BOOST_TEST(field_of(refused.error()) == "content");
  }
}

BOOST_AUTO_TEST_CASE(when_the_host_ends_another_takes_its_place) {
  auto first = open();
  auto second = open();
  auto third = open();
  add(*first, "Smoke");
  first.reset();
  add(*second, "Fire");
  add(*third, "Water");
  BOOST_TEST(count(*second) == 3);
  BOOST_TEST(count(*third) == 3);
  BOOST_TEST((second->is_host() != third->is_host()));
}

BOOST_AUTO_TEST_CASE(who_comes_while_nobody_hosts_any_more_hosts) {
  open().reset();
  BOOST_TEST(open()->is_host());
}

BOOST_AUTO_TEST_CASE(an_agent_that_is_not_there_is_refused_by_a_host_too) {
  auto first = open();
  auto other = setup();
  other.agent_id = "bob";
  other.what = open_mode::existing;
  auto refused = shared_agent::open(std::move(other));
  BOOST_REQUIRE(!refused);
  BOOST_TEST((code_of(refused.error()) == errc::not_found), describe(refused.error()));
  BOOST_TEST(field_of(refused.error()) == "agent");
}

BOOST_AUTO_TEST_CASE(what_is_asked_while_hosts_end_is_answered_and_what_was_stored_is_kept) {
  constexpr auto writers = 3, each = 60;
  std::vector<std::unique_ptr<shared_agent>> agents;
  auto host = open();
  for (auto i = 0; i < writers; ++i)
    agents.push_back(open());
  std::atomic<int> acknowledged = 0, refused = 0;
  std::vector<std::thread> threads;
  for (auto& agent : agents)
    threads.emplace_back([&, agent = agent.get()] {
      for (auto n = 0; n < each; ++n) {
        auto x = agent->call("add_observation", {{"type", "observation"}, {"content", "x"}});
        ++(x ? acknowledged : refused);
      }
    });
  host.reset(); // ends while calls are in flight
  for (auto& x : threads)
    x.join();
  BOOST_TEST(acknowledged + refused == writers * each);
  // An orderly end leaves no call in doubt.
  BOOST_TEST(refused == 0);
  BOOST_TEST(count(*agents.front()) == acknowledged);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
