#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"
#include "scratchpage/tests/support/allocated_bytes.hpp"
#include "scratchpage/tests/support/callers.hpp"

/// A host puts agents to rest that nobody uses, and wakes them.

namespace scratchpage::test {

namespace {

struct resting_host : hosted {
  using hosted::hosted;

  /// Whether the agent is at rest now.
  bool rest(const std::string& id) {
    std::promise<bool> answer;
    host->put_to_rest(id, [&](bool x) { answer.set_value(x); });
    return answer.get_future().get();
  }

  /// The same, when everything is done that the agent was asked for.
  void rest_soon(const std::string& id) {
    BOOST_REQUIRE(until([&] { return rest(id); }));
    BOOST_TEST(!host->find(id));
  }

  template <class F>
  static bool until(F is_so) {
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!is_so())
      if (std::chrono::steady_clock::now() > end)
        return false;
    return true;
  }

  std::string add(const std::string& id, const std::string& content, double minutes = 60) {
    auto x = call(id, "add_observation",
      {{"type", "observation"}, {"content", content}, {"ttl_minutes", minutes}});
    return std::string{x.at("observation_id").as_string()};
  }

  uint64_t observations(const std::string& id) {
    return call(id, "query_observations", {}).at("total_count").to_number<uint64_t>();
  }
};

config with_agents(uint64_t most) {
  auto result = default_config();
  result.host.max_agents = most;
  return result;
}

struct small_resting_host : resting_host {
  small_resting_host()
    : resting_host{with_agents(3)} {}
};

struct shared_resting_host : resting_host {
  shared_resting_host()
    : resting_host{with_agents(4)} {}
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(resting_agents_of_a_host, resting_host)

BOOST_AUTO_TEST_CASE(an_agent_at_rest_comes_back_when_it_is_asked) {
  auto first = add("ada", "The kettle boils");
  rest_soon("ada");
  BOOST_TEST(host->counts().open == 0u);
  BOOST_TEST(host->counts().resting == 1u);
  BOOST_TEST(observations("ada") == 1u);
  BOOST_TEST(host->counts().resting == 0u);
  BOOST_TEST(host->counts().wakings == 1u);
  auto second = add("ada", "The tea is ready");
  BOOST_TEST(first.substr(first.size() - 3) == "001");
  BOOST_TEST(second.substr(second.size() - 3) == "002");
}

BOOST_AUTO_TEST_CASE(it_goes_on_in_the_same_epoch) {
  add("ada", "The kettle boils");
  auto before = call("ada", "page_stats", {}).at("epoch").to_number<uint64_t>();
  rest_soon("ada");
  BOOST_TEST(call("ada", "page_stats", {}).at("epoch").to_number<uint64_t>() == before);
}

BOOST_AUTO_TEST_CASE(what_it_knows_survives_the_process_that_put_it_to_rest) {
  add("ada", "The kettle boils");
  rest_soon("ada");
  host_again();
  BOOST_TEST(observations("ada") == 1u);
}

BOOST_AUTO_TEST_CASE(an_agent_that_is_in_use_stays) {
  add("ada", "The kettle boils");
  auto used = agent("ada");
  BOOST_TEST(!rest("ada"));
  BOOST_TEST((host->find("ada") == used));
  used.reset();
  rest_soon("ada");
}

BOOST_AUTO_TEST_CASE(an_agent_with_an_open_turn_stays) {
  auto turn = call("ada", "begin_turn", {{"input", "Hello"}, {"hold", true}}).at("turn_id");
  BOOST_TEST(!rest("ada"));
  call("ada", "end_turn", {{"turn_id", turn}});
  rest_soon("ada");
}

BOOST_AUTO_TEST_CASE(an_agent_that_is_not_open_cannot_be_put_to_rest) {
  BOOST_TEST(!rest("ada"));
  add("ada", "The kettle boils");
  rest_soon("ada");
  BOOST_TEST(!rest("ada"));
}

BOOST_AUTO_TEST_CASE(who_is_told_that_it_rests_can_ask_for_it_at_once) {
  add("ada", "The kettle boils");
  std::promise<bool> opened;
  auto ask = [&](bool rests) {
    if (rests)
      host->open("ada", open_mode::existing, std::nullopt,
        [&](const auto& x) { opened.set_value(bool{x}); });
    else
      opened.set_value(false);
  };
  auto rested = until([&] {
    opened = {};
    host->put_to_rest("ada", ask);
    auto answer = opened.get_future();
    BOOST_REQUIRE((answer.wait_for(std::chrono::seconds{30}) == std::future_status::ready));
    return answer.get();
  });
  BOOST_TEST(rested);
}

BOOST_AUTO_TEST_CASE(it_is_woken_when_something_expires) {
  constexpr double minutes = 0.005; // 300 ms
  add("ada", "The kettle boils", minutes);
  if (!rest("ada")) // it has expired already
    return;
  BOOST_TEST(until([&] {
    host->look_after_agents();
    return host->counts().wakings == 1;
  }));
  BOOST_TEST(call("ada", "list_archive", {}).at("total_count").to_number<int>() == 1);
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_while_others_put_it_to_rest) {
  constexpr int writers = 4, additions = 60;
  std::vector<std::thread> threads;
  std::atomic<int> left{writers};
  for (int i = 0; i < writers; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < additions; ++n)
        add("ada", "The kettle boils " + std::to_string(n));
      --left;
    });
  while (left > 0)
    rest("ada");
  for (auto& x : threads)
    x.join();
  BOOST_TEST(observations("ada") == uint64_t{writers * additions});
  BOOST_TEST(call("ada", "page_stats", {}).at("sequence").to_number<int>() == writers * additions);
}

BOOST_AUTO_TEST_CASE(rests_leave_nothing_in_memory) {
  auto rest_often = [this](int times) {
    for (int i = 0; i < times; ++i) {
      agent("ada");
      rest_soon("ada");
    }
    return allocated_bytes();
  };
  add("ada", "The kettle boils");
  auto before = rest_often(100);
  constexpr int rests = 300;
  auto left = static_cast<double>(rest_often(rests)) - static_cast<double>(before);
  constexpr double most = 4'000; // bytes; an actor that was left in memory has twice as many
  BOOST_TEST(left / rests < most);
}

BOOST_AUTO_TEST_CASE(many_agents_rest_and_wake_at_once) {
  constexpr int agents = 40;
  auto id = [](int i) { return "agent" + std::to_string(i); };
  for (int i = 0; i < agents; ++i)
    add(id(i), "The kettle boils");
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < agents; ++i)
      rest_soon(id(i));
    BOOST_TEST(host->counts().resting == uint64_t{agents});
    std::vector<std::promise<bool>> woken(agents);
    for (int i = 0; i < agents; ++i)
      host->open(id(i), open_mode::existing, std::nullopt,
        [&, i](const auto& x) { woken[static_cast<size_t>(i)].set_value(bool{x}); });
    for (auto& x : woken)
      BOOST_TEST(x.get_future().get());
  }
}

BOOST_FIXTURE_TEST_CASE(
  when_there_is_no_room_the_one_that_was_not_used_for_the_longest_time_rests, small_resting_host) {
  for (const auto* id : {"ada", "bob", "cid"})
    add(id, "The kettle boils");
  observations("ada");
  BOOST_TEST(until([&] { return bool{host->open("dan", open_mode::create)}; }));
  BOOST_TEST(host->find("ada"));
  BOOST_TEST(!host->find("bob"));
  BOOST_TEST(host->find("cid"));
  BOOST_TEST(host->counts().resting == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  a_program_that_has_opened_its_share_opens_more_while_its_others_rest, shared_resting_host) {
  auto program = as_daemon("assistant");
  auto open = [&](const char* id) { return bool{host->open(id, open_mode::create, &program)}; };
  for (const auto* id : {"ada", "bob", "cid"}) // three quarters of four
    BOOST_TEST(open(id));
  BOOST_TEST(!open("dan")); // they were used a moment ago
  BOOST_TEST(until([&] { return open("dan"); }));
  BOOST_TEST(until([&] { return host->counts().open == 3; }));
  BOOST_TEST(!host->find("ada"));
}

BOOST_FIXTURE_TEST_CASE(agents_that_are_all_in_use_are_told, small_resting_host) {
  std::vector<hosted_agent_ptr> used{agent("ada"), agent("bob"), agent("cid")};
  auto refused = host->open("dan", open_mode::create);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(describe(refused.error())
             == "overloaded: agent: expected at most 3 agents at once, all of which are in use");
  BOOST_TEST(host->counts().refusals == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
