#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/team.hpp"

/// A watcher of goals gets each change exactly once.

namespace scratchpage::test {

namespace {

using heard_changes = std::shared_ptr<std::vector<goal_changed>>;

class goal_listener {
public:
  using handle = goal_watcher_actor;
  static constexpr const char* name = "goal_listener";

  goal_listener(handle::pointer, heard_changes heard)
    : heard_{std::move(heard)} {}

  handle::behavior_type make_behavior() {
    return {[this](const goal_changed& x) { heard_->push_back(x); }};
  }

private:
  heard_changes heard_;
};

struct watched_team : team {
  heard_changes heard = std::make_shared<std::vector<goal_changed>>();

  goal_watcher_actor listener() { return make<goal_listener>(heard); }

  std::string watch(const goal_watcher_actor& who, const caller& by = as_daemon("listener")) {
    auto answer = ask(host->cortex(), watch_goals{by, who});
    return answer ? "none" : to_string(code_of(answer.error())) + " " + field_of(answer.error());
  }

  void make_goal() {
    create_goal request{as_daemon("planner"), {}};
    request.draft.goal_id = "trip";
    request.draft.goal_type = "travel";
    request.draft.pending_actions = {{.action_id = "search", .action_type = "search_flights"}};
    value(ask(host->cortex(), std::move(request)));
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_watcher_hears_of_each_revision_once_and_in_order, watched_team) {
  start();
  auto who = listener();
  BOOST_TEST(watch(who) == "none");
  BOOST_TEST(watch(who) == "none");
  make_goal();
  update_goal same{.by = as_daemon("planner"), .goal_id = "trip"};
  same.status = goal_status::pending;
  value(ask(host->cortex(), std::move(same))); // changes nothing
  for (auto n = 0; n < 2; ++n)
    value(ask(host->cortex(), complete_action{as_daemon("planner"), "trip", "search"}));
  BOOST_REQUIRE(heard->size() == 2u);
  BOOST_TEST(heard->at(0).revision == 1u);
  BOOST_TEST(heard->at(0).done.empty());
  BOOST_TEST(heard->at(1).revision == 2u);
  BOOST_TEST(to_string(heard->at(1).status) == "completed");
  BOOST_TEST(
    heard->at(1).done == std::vector<std::string>{"search"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(tools_may_not_watch_and_watchers_are_bounded, watched_team) {
  setup.config.profile.scratchbook = false;
  setup.config.frontal_cortex.max_watchers = 2; // one of them is the scratchbooks' actor
  start();
  BOOST_TEST(watch(listener(), as_tool("spy")) == "forbidden by.role");
  BOOST_TEST(watch({}) == "invalid_request watcher");
  auto first = listener();
  BOOST_TEST(watch(first) == "none");
  BOOST_TEST(watch(listener()) == "overloaded watcher");
  caf::anon_send_exit(first, caf::exit_reason::user_shutdown);
  settle();
  BOOST_TEST(watch(listener()) == "none");
}

BOOST_FIXTURE_TEST_CASE(one_goal_is_asked_for_by_its_id, watched_team) {
  start();
  make_goal();
  BOOST_TEST(value(ask(host->cortex(), get_goal{as_daemon("x"), "trip"})).goal_type == "travel");
  auto missing = ask(host->cortex(), get_goal{as_daemon("x"), "trap"});
  BOOST_REQUIRE(!missing);
  BOOST_TEST(to_string(code_of(missing.error())) == "not_found");
  BOOST_TEST(field_of(missing.error()) == "goal_id");
}

} // namespace scratchpage::test
