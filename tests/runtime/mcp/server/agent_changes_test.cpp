#include "scratchpage/tests/support/team.hpp"

#include "scratchpage/runtime/api/operations.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/server/agent_changes.hpp"
#include "scratchpage/runtime/mcp/server/agent_provider.hpp"

/// Notifications of changes to an agent's resources, with a complete team.

namespace scratchpage::test {

namespace {

/// Answers each operation as a trace with `count` entries.
struct growing_trace {
  using handle = operations_actor;
  static constexpr const char* name = "growing_trace";

  growing_trace(handle::pointer, const int& count)
    : count_{count} {}

  handle::behavior_type make_behavior() {
    return {[this](const call_operation&) -> caf::result<operation_answer> {
      return operation_answer{R"({"total_count":)" + std::to_string(count_) + "}"};
    }};
  }

  const int& count_;
};

/// A subscriber that only takes a place at the page or at the Frontal Cortex.
struct quiet_listener {
  using handle = subscriber_actor::extend<caf::result<void>(goal_changed)>;
  static constexpr const char* name = "quiet_listener";

  explicit quiet_listener(handle::pointer) {}

  handle::behavior_type make_behavior() {
    return {[](const event_batch&) -> caf::result<void> { return caf::unit; },
      [](const goal_changed&) {}};
  }
};

struct told_changes : team {
  std::shared_ptr<actor_strand> strand;
  std::unique_ptr<operation_caller> caller;
  operations_actor operations;
  std::shared_ptr<mcp::agent_changes> changes;
  std::vector<std::string> told;
  int entries = 1;

  told_changes() {
    setup.config.page.max_subscribers = 64;
    start();
    strand = std::make_shared<actor_strand>(sys, clock);
    caller = std::make_unique<operation_caller>(sys);
    operations_parts parts{
      host->page(), host->cortex(), host->turns(), host->working_memory(), host->scratchbooks()};
    parts.read_trace = [this] { return make<growing_trace>(entries); };
    operations = make<operations_state>(std::move(parts));
    changes = std::make_shared<mcp::agent_changes>(sys, strand, host->page(), host->cortex(),
      mcp::on_strand(strand, [this](const principal& who, std::string operation,
                               json::object arguments, on_answer then) {
        caller->call(operations,
          {who.by, who.thread_id, std::move(operation), std::move(arguments)}, std::move(then));
      }));
  }

  ~told_changes() {
    changes.reset();
    strand->stop();
    caller.reset();
    settle();
  }

  std::shared_ptr<void> listen(std::set<std::string> uris, const std::string& thread = "main") {
    std::shared_ptr<void> result;
    strand->post([&] {
      result = changes->subscribe({as_daemon("listener"), thread}, {{}, std::move(uris)},
        [this](const mcp::change& x) { told.push_back(x.uri); });
    });
    settle();
    return result;
  }

  void fill_page() {
    subscribe order{as_daemon("other"), make<quiet_listener>(), {}, {}, false};
    while (ask(host->page(), order))
      order.subscriber = make<quiet_listener>();
  }

  void fill_goals() {
    while (ask(host->cortex(), watch_goals{as_daemon("other"), make<quiet_listener>()})) {
    }
  }

  void write(const std::string& title, const std::string& thread = "main") {
    item_draft item;
    item.kind = item_kind::todo;
    item.title = title;
    value(ask(host->scratchbooks(), scratch_add{as_daemon("writer"), thread, std::move(item)}));
  }

  /// The notifications since the last call, as "a b".
  std::string news() {
    advance(std::chrono::seconds{2});
    std::string result;
    for (const auto& x : std::exchange(told, {}))
      result += (result.empty() ? "" : " ") + x;
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_agent_changes, told_changes)

BOOST_AUTO_TEST_CASE(a_page_and_its_observations_tell_when_they_change) {
  auto first = add(as_daemon("probe"), draft("observation", "One")).observation->observation_id;
  auto page = listen({"scratchpage://page"});
  auto one = listen({"scratchpage://observations/" + first});
  BOOST_TEST(news() == "");
  add(as_daemon("probe"), draft("observation", "Two"));
  BOOST_TEST(news() == "scratchpage://page");
  BOOST_REQUIRE(!!ask(host->page(), archive_observation{as_daemon("probe"), first}));
  BOOST_TEST(news() == "scratchpage://page scratchpage://observations/" + first);
}

BOOST_AUTO_TEST_CASE(many_changes_at_once_are_told_a_few_times) {
  auto page = listen({"scratchpage://page"});
  for (int i = 0; i < 500; ++i)
    add(as_daemon("probe"), draft("observation", "Note " + std::to_string(i)));
  advance(std::chrono::seconds{2});
  BOOST_TEST(told.size() >= 1u);
  BOOST_TEST(told.size() <= 10u);
}

BOOST_AUTO_TEST_CASE(goals_tell_when_they_change) {
  auto goals = listen({"scratchpage://goals"});
  create_goal request{as_daemon("planner"), {}};
  request.draft.goal_type = "travel";
  request.draft.goal_id = "trip";
  value(ask(host->cortex(), std::move(request)));
  BOOST_TEST(news() == "scratchpage://goals");
  update_goal progress{.by = as_daemon("planner"), .goal_id = "trip"};
  progress.progress = 0.5;
  value(ask(host->cortex(), std::move(progress)));
  BOOST_TEST(news() == "scratchpage://goals");
}

BOOST_AUTO_TEST_CASE(many_changes_of_goals_at_once_are_told_a_few_times) {
  auto goals = listen({"scratchpage://goals"});
  create_goal request{as_daemon("planner"), {}};
  request.draft.goal_type = "travel";
  request.draft.goal_id = "trip";
  value(ask(host->cortex(), std::move(request)));
  told.clear();
  for (int i = 1; i <= 50; ++i) {
    update_goal progress{.by = as_daemon("planner"), .goal_id = "trip"};
    progress.progress = i / 100.0;
    value(ask(host->cortex(), std::move(progress)));
  }
  advance(std::chrono::seconds{2});
  BOOST_TEST(told.size() >= 1u); // the last change, too
  BOOST_TEST(told.size() <= 2u);
}

BOOST_AUTO_TEST_CASE(a_scratchbook_is_looked_at_for_its_own_thread) {
  auto mine = listen({"scratchpage://scratchbook"});
  BOOST_TEST(news() == "");
  write("Call Ann");
  BOOST_TEST(news() == "scratchpage://scratchbook");
  write("Call Bob", "another");
  BOOST_TEST(news() == "");
}

BOOST_AUTO_TEST_CASE(a_turns_trace_tells_when_it_has_grown) {
  auto trace = listen({"scratchpage://turns/turn_1/trace"});
  BOOST_TEST(news() == "");
  entries += 5;
  BOOST_TEST(news() == "scratchpage://turns/turn_1/trace");
  BOOST_TEST(news() == "");
}

BOOST_AUTO_TEST_CASE(who_does_not_want_to_know_any_more_is_not_told) {
  auto all = listen({"scratchpage://page", "scratchpage://scratchbook"});
  BOOST_TEST(news() == "");
  all.reset();
  write("Call Ann");
  add(as_daemon("probe"), draft("observation", "One"));
  BOOST_TEST(news() == "");
  auto again = listen({"scratchpage://scratchbook"});
  BOOST_TEST(news() == "");
  write("Call Bob");
  BOOST_TEST(news() == "scratchpage://scratchbook");
}

/// As when another server has claimed the agent.
BOOST_AUTO_TEST_CASE(a_page_that_has_ended_does_not_leave_its_listeners_in_silence) {
  auto page = listen({"scratchpage://page"});
  BOOST_TEST(news() == "");
  caf::anon_send_exit(host->page(), caf::exit_reason::user_shutdown);
  BOOST_TEST(news() == "scratchpage://page"); // it may have changed
  auto next = make<growing_trace>(entries);   // answers operations from now on
  operations = next;
  BOOST_TEST(news() == "");
  entries += 5;
  BOOST_TEST(news() == "scratchpage://page");
}

BOOST_AUTO_TEST_CASE(a_page_that_has_no_place_for_one_more_is_looked_at_instead) {
  fill_page();
  auto page = listen({"scratchpage://page"});
  BOOST_TEST(news() == "scratchpage://page"); // it may have changed before
  BOOST_TEST(news() == "");
  add(as_daemon("probe"), draft("observation", "One"));
  BOOST_TEST(news() == "scratchpage://page");
  auto late = listen({"scratchpage://page"});
  BOOST_TEST(news() == "");
  add(as_daemon("probe"), draft("observation", "Two"));
  BOOST_TEST(news() == "scratchpage://page scratchpage://page");
}

BOOST_AUTO_TEST_CASE(goals_that_have_no_place_for_one_more_are_looked_at_instead) {
  fill_goals();
  auto all = listen({"scratchpage://goals", "scratchpage://page"});
  BOOST_TEST(news() == "scratchpage://goals scratchpage://page"); // they may have changed before
  create_goal request{as_daemon("planner"), {}};
  request.draft.goal_type = "travel";
  request.draft.goal_id = "trip";
  value(ask(host->cortex(), std::move(request)));
  BOOST_TEST(news().find("scratchpage://goals") != std::string::npos);
  add(as_daemon("probe"), draft("observation", "One"));
  BOOST_TEST(news() == "scratchpage://page");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
