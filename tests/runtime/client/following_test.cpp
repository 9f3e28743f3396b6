#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/client/event_follower.hpp"
#include "scratchpage/runtime/client/shared_agent.hpp"
#include "scratchpage/tests/support/require_value.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// Following the events of a page while its host changes.

namespace scratchpage::test {

namespace {

using client::shared_agent;
using texts = std::vector<std::string>;

constexpr auto failsafe = std::chrono::minutes{1};

/// Collects the events that a listener gets, as "added Smoke".
class heard {
public:
  event_listener listener() {
    return {[this](const json::object& event) { take(event); },
      [this](const caf::error& why) { ended_.set_value(code_of(why)); }};
  }

  /// Waits for the first `count` events.
  texts first(size_t count) {
    std::unique_lock lock{guard_};
    changed_.wait_for(lock, failsafe, [&] { return told_.size() >= count; });
    return told_;
  }

  errc end() { return ended_.get_future().get(); }

  /// Blocks the listener until the lock is released.
  std::unique_lock<std::mutex> keep_waiting() { return std::unique_lock{told_to_}; }

private:
  void take(const json::object& event) {
    std::lock_guard turn{told_to_};
    std::string text{event.at("kind").as_string()};
    if (const auto* about = event.if_contains("observation"); about && about->is_object())
      text.append(" ").append(std::string_view{about->at("content").as_string()});
    std::lock_guard lock{guard_};
    told_.push_back(std::move(text));
    changed_.notify_all();
  }

  std::mutex told_to_;
  std::mutex guard_;
  std::condition_variable changed_;
  texts told_;
  std::promise<errc> ended_;
};

struct followed_directory : temp_dir {
  std::unique_ptr<shared_agent> open() const {
    client::shared_agent_setup setup;
    setup.directory = path() / "data";
    setup.agent_id = "ada";
    setup.thread_id = "main";
    setup.by = as_user("ann");
    setup.with = default_config();
    return require_value(shared_agent::open(std::move(setup)));
  }

  static std::unique_ptr<subscription> follow(
    agent_client& agent, heard& to, const std::string& from = "now") {
    follow_order order;
    order.from = from;
    return require_value(agent.follow(std::move(order), to.listener()));
  }

  static json::object note(const std::string& content, const std::string& tag = "any") {
    return {{"type", "observation"}, {"content", content}, {"tags", {tag}}};
  }

  static void add(agent_client& agent, const std::string& content) {
    require_value(agent.call("add_observation", note(content)));
  }

  /// Adds `count` notes, a hundred at once. Returns their contents.
  static texts add_many(agent_client& agent, int count) {
    texts result;
    for (auto i = 0; i < count;) {
      json::array drafts;
      for (auto end = i + 100; i < end; ++i) {
        drafts.emplace_back(note(std::to_string(i)));
        result.push_back("added " + std::to_string(i));
      }
      require_value(agent.call("add_observations", {{"drafts", std::move(drafts)}}));
    }
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(following, followed_directory)

BOOST_AUTO_TEST_CASE(the_host_and_who_joined_hear_what_either_does) {
  auto first = open(), second = open();
  heard one, other;
  auto a = follow(*first, one), b = follow(*second, other);
  add(*first, "Smoke");
  add(*second, "Fire");
  const texts all{"added Smoke", "added Fire"};
  BOOST_TEST(one.first(2) == all, boost::test_tools::per_element());
  BOOST_TEST(other.first(2) == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(only_what_comes_is_told_unless_more_is_wanted) {
  auto agent = open();
  add(*agent, "Smoke");
  heard from_now, from_start, later;
  auto a = follow(*agent, from_now), b = follow(*agent, from_start, "0-0");
  add(*agent, "Fire");
  BOOST_TEST(from_now.first(1) == texts{"added Fire"}, boost::test_tools::per_element());
  BOOST_TEST(
    from_start.first(2) == (texts{"added Smoke", "added Fire"}), boost::test_tools::per_element());
  auto c = follow(*agent, later, "1-1");
  BOOST_TEST(later.first(1) == texts{"added Fire"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_filter_selects) {
  auto agent = open();
  heard told;
  follow_order order;
  order.filter.tags = {"fire"};
  auto a = require_value(agent->follow(std::move(order), told.listener()));
  add(*agent, "Water");
  require_value(agent->call("add_observation", note("Smoke", "fire")));
  BOOST_TEST(told.first(1) == texts{"added Smoke"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(another_host_tells_what_comes_next) {
  auto first = open(), second = open(), third = open();
  heard told;
  auto a = follow(*second, told);
  add(*first, "Smoke");
  first.reset();
  add(*third, "Fire");
  add(*second, "Water");
  BOOST_TEST(told.first(3) == (texts{"added Smoke", "added Fire", "added Water"}),
    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_only_follows_takes_the_place_of_the_host) {
  auto first = open(), second = open();
  heard told;
  auto a = follow(*second, told);
  first.reset();
  auto third = open(); // joins the host or becomes it; the page is the same
  add(*third, "Smoke");
  BOOST_TEST(told.first(1) == texts{"added Smoke"}, boost::test_tools::per_element());
  third.reset();
  add(*second, "Fire");
  BOOST_TEST(second->is_host());
  BOOST_TEST(
    told.first(2) == (texts{"added Smoke", "added Fire"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_nobody_heard_before_the_host_ended_is_not_lost) {
  auto first = open(), second = open();
  heard told;
  auto a = follow(*second, told);
  auto waits = told.keep_waiting();
  add(*first, "Smoke");
  add(*first, "Fire");
  first.reset();
  add(*second, "Water");
  waits.unlock();
  BOOST_TEST(told.first(3) == (texts{"added Smoke", "added Fire", "added Water"}),
    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_or_told_twice_while_hosts_end_under_load) {
  constexpr auto writers = 3, each = 40;
  auto first = open(), second = open();
  std::vector<std::unique_ptr<shared_agent>> agents;
  agents.reserve(writers);
  for (auto i = 0; i < writers; ++i)
    agents.push_back(open());
  auto listens = open();
  heard told;
  auto a = follow(*listens, told);
  std::vector<texts> refused(writers);
  std::vector<std::thread> threads;
  threads.reserve(writers);
  for (auto i = 0; i < writers; ++i)
    threads.emplace_back([&, i, agent = agents[i].get()] {
      for (auto n = 0; n < each; ++n) {
        auto text = std::to_string(i) + "." + std::to_string(n);
        if (auto added = agent->call("add_observation", note(text)); !added)
          refused[i].push_back(text + ": " + describe(added.error()));
      }
    });
  first.reset();
  second.reset();
  for (auto& x : threads)
    x.join();
  add(*listens, "the last");
  auto all = told.first(writers * each + 1);
  for (const auto& x : refused)
    BOOST_TEST(x == texts{}, boost::test_tools::per_element());
  BOOST_TEST(all.back() == "added the last");
  std::vector<int> next(writers, 0); // the notes of each writer come in order
  for (const auto& x : all)
    if (auto dot = x.find('.'); dot != std::string::npos)
      BOOST_TEST(std::stoi(x.substr(dot + 1)) == next.at(std::stoul(x.substr(6)))++, x);
  for (auto n : next)
    BOOST_TEST(n == each);
}

BOOST_AUTO_TEST_CASE(a_slow_listener_hears_everything_later) {
  auto first = open(), second = open();
  heard told;
  auto a = follow(*second, told);
  auto waits = told.keep_waiting();
  auto all = add_many(*first, 6'000);
  waits.unlock();
  BOOST_TEST(told.first(all.size()) == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_place_that_is_yet_to_come_is_refused) {
  auto agent = open();
  heard told;
  follow_order order;
  order.from = "1-99";
  auto refused = agent->follow(std::move(order), told.listener());
  BOOST_REQUIRE(!refused);
  BOOST_TEST((code_of(refused.error()) == errc::invalid_request), describe(refused.error()));
  BOOST_TEST(field_of(refused.error()) == "from");
}

BOOST_AUTO_TEST_CASE(when_nobody_has_the_agent_any_more_it_ends) {
  auto agent = open();
  client::endpoint to;
  to.socket_path = data_directory::socket_in(path() / "data").string();
  to.target = "/rpc?agent=ada";
  heard told, never;
  follow_order order;
  order.timeout = timespan{0};
  auto a = require_value(client::event_follower::begin(to, order, told.listener()));
  agent.reset();
  BOOST_TEST((told.end() == errc::storage_unavailable));
  auto refused = client::event_follower::begin(to, order, never.listener());
  BOOST_REQUIRE(!refused);
  BOOST_TEST((code_of(refused.error()) == errc::storage_unavailable));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
