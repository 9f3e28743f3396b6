#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/team.hpp"
#include "scratchpage/tests/support/trace_replay.hpp"

namespace scratchpage::test {

namespace {

/// A daemon that queries everything at each change, and notes expired observations in the answers.
class inspector : public daemon {
public:
  static constexpr const char* name = "inspector";

  struct findings {
    uint64_t answers = 0;
    std::vector<std::string> expired;
    std::vector<uint64_t> sequences;
  };

  inspector(handle::pointer self, daemon_setup setup, std::shared_ptr<findings> found)
    : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::first_custom)},
      found_{std::move(found)} {}

private:
  std::vector<observation_filter> interests() const override { return {observation_filter{}}; }

  void react(const page_event& event, const ack_guard& done) override {
    found_->sequences.push_back(event.sequence);
    query_observations everything;
    everything.by = as_me(event);
    everything.limit = 1000;
    // Virtual time does not advance between the page's answer and its arrival.
    query<query_result>(page(), std::move(everything), done, [this](const query_result& answer) {
      ++found_->answers;
      for (const auto& x : answer.observations)
        if (x->expires_at <= setup().agent.clock->now())
          found_->expired.push_back(x->observation_id);
    });
  }

  std::shared_ptr<findings> found_;
};

/// A team with tools that succeed, fail, answer late and recover, and that report short-lived
/// observations.
struct busy_team : team {
  std::shared_ptr<inspector::findings> found = std::make_shared<inspector::findings>();

  explicit busy_team(uint64_t seed) {
    setup.seed = seed;
    json::value insight{{"type", "contextual_insight"}, {"content", "The user likes Burgundy"},
      {"confidence", 0.95}, {"tags", {"wine", "preference"}}};
    json::value brief{{"type", "observation"}, {"content", "Two bottles are left"},
      {"confidence", 0.6}, {"tags", {"wine", "stock"}}, {"ttl_minutes", 0.002}};
    auto& search = add_tool(
      {.tool_id = "search", .idempotent = true}, {{.scratch_page_writes = {insight, brief}}});
    search.after_last = after_last::repeat;
    search.latency = {10, 400};
    auto& flaky = add_tool(
      {.tool_id = "flaky", .timeout_ms = 300, .idempotent = true}, {{.outputs = {{"done", true}}}});
    flaky.after_last = after_last::repeat;
    flaky.latency = {10, 100};
    flaky.faults = {{.fault = fault_kind::timeout, .on_attempt = 1}};
    auto& broken = add_tool({.tool_id = "broken"},
      {{.status = tool_status::error, .outputs = {{"error", "payment method not found"}}}});
    broken.after_last = after_last::repeat;
    broken.latency = {1, 50};
    driver.shuffle(seed);
    start();
    host->add_daemon<inspector>(found);
    settle();
  }
};

begin_turn turn_of(std::string thread, turn_mode mode, std::vector<planned_call> plan) {
  begin_turn x;
  x.thread_id = std::move(thread);
  x.input = "Which wine, please?";
  x.mode = mode;
  x.plan = std::move(plan);
  return x;
}

/// Tests that every link between a goal and an observation is on both.
void check_links(team& t, const std::vector<observation_ptr>& known) {
  std::map<std::string, std::set<std::string>> of_goal;
  for (const auto& goal : t.goals())
    of_goal[goal.goal_id].insert(goal.observation_ids.begin(), goal.observation_ids.end());
  std::set<std::pair<std::string, std::string>> of_observations;
  for (const auto& x : known)
    for (const auto& goal : x->linked_goal_ids) {
      of_observations.emplace(goal, x->observation_id);
      BOOST_TEST(of_goal[goal].contains(x->observation_id));
    }
  for (const auto& [goal, ids] : of_goal)
    for (const auto& id : ids)
      BOOST_TEST((of_observations.contains({goal, id})));
}

} // namespace

BOOST_AUTO_TEST_CASE(two_hundred_interleavings_of_a_busy_team_keep_every_invariant) {
  constexpr uint64_t seeds = 200;
  constexpr size_t turns = 5;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      busy_team t{seed};
      std::vector<std::shared_ptr<pending_answer<turn_result>>> answers;
      auto begin = [&](begin_turn x) { answers.push_back(t.send(t.host->turns(), std::move(x))); };
      begin(turn_of("a", turn_mode::sequential, {call("search"), call("broken")}));
      begin(turn_of("a", turn_mode::sequential, {call("flaky")}));
      begin(turn_of("b", turn_mode::parallel, {call("search"), call("flaky"), call("broken")}));
      begin(turn_of("c", turn_mode::parallel, {}));
      begin(turn_of("d", turn_mode::background, {call("flaky")}));
      while (t.driver.advance_to_next_deadline(t.now() + std::chrono::minutes{10})
             && t.now() < default_virtual_origin() + std::chrono::minutes{5}) {
      }
      std::vector<observation_ptr> known;
      for (const auto& answer : answers) {
        BOOST_REQUIRE(answer->arrived());
        auto result = team::value(*answer->value);
        if (result.status == turn_status::background)
          result = team::value(t.ask(t.host->turns(), await_turn{result.turn_id}));
        BOOST_TEST(to_string(result.status) != "timed_out");
      }
      BOOST_TEST(answers.size() == turns);

      auto stats = team::value(t.ask(t.host->page(), caf::get_atom_v));
      auto sequences = t.found->sequences;
      BOOST_TEST(sequences.size() == stats.sequence); // no event is lost or repeated
      BOOST_TEST(std::is_sorted(sequences.begin(), sequences.end()));
      BOOST_TEST(t.found->answers == stats.sequence);
      BOOST_TEST(t.found->expired.empty());
      BOOST_TEST(stats.open_turns == 0u);
      BOOST_TEST(stats.expired > 0u); // otherwise the check of `expired` means nothing

      auto replayed = replay(t.trace->entries()); // fails at gaps in the sequences
      if (!replayed)
        BOOST_FAIL(describe(replayed.error()));
      BOOST_TEST(replayed->size() == stats.observations);
      for (const auto& [id, x] : *replayed)
        known.emplace_back(x);
      list_archive gone;
      gone.by = as_daemon("probe");
      gone.limit = 1000;
      auto archive = team::value(t.ask(t.host->page(), std::move(gone)));
      known.insert(known.end(), archive.observations.begin(), archive.observations.end());
      check_links(t, known);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_trace) {
  auto run = [](uint64_t seed) {
    busy_team t{seed};
    t.run(turn_of("a", turn_mode::sequential, {call("search"), call("flaky"), call("broken")}));
    std::string text;
    for (const auto& entry : t.trace->entries())
      text += to_text(to_json(entry)) + "\n";
    return text;
  };
  BOOST_TEST(run(3) == run(3));
  BOOST_TEST(run(3) != run(4));
}

} // namespace scratchpage::test
