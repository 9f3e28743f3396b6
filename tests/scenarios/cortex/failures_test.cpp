#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/cortex/cortex_team.hpp"

namespace scratchpage::test {

namespace {

template <class T>
std::string failure_of(const caf::expected<T>& x) {
  return to_string(x ? errc::none : code_of(x.error()));
}

/// A clock that gains `a_look_takes` on its base clock with every reading.
class hurried_clock : public clock {
public:
  explicit hurried_clock(std::shared_ptr<const clock> base)
    : base_{std::move(base)} {}

  timestamp now() const override {
    ahead_ += a_look_takes;
    return base_->now() + ahead_;
  }

  timespan a_look_takes{0};

private:
  std::shared_ptr<const clock> base_;
  mutable timespan ahead_{0};
};

/// A page with more observations than a query checks between two readings of the clock. Their
/// confidence is so near to the threshold of the query that the index cannot answer alone: the
/// query has to check each observation.
struct crowded_team : cortex_team {
  static constexpr uint64_t bottles = 4000;
  std::shared_ptr<hurried_clock> hurried = std::make_shared<hurried_clock>(driver.clock());

  void fill() {
    std::vector<observation_draft> drafts;
    for (uint64_t i = 0; i < bottles; ++i)
      drafts.push_back(draft("observation", "bottle " + std::to_string(i), 0.52, {"wine"}));
    note_all(std::move(drafts));
  }

  caf::expected<query_result> certain_ones() {
    query_observations request;
    request.by = as_daemon("probe");
    request.filter.tags = {"wine"};
    request.filter.min_confidence = 0.51;
    return ask(host->page(), std::move(request));
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(failures)

// -- storage ------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  an_observation_that_storage_refused_is_stored_at_the_next_turn, cortex_team, *label("FC_f1")) {
  add_tool({.tool_id = "wine_search"},
    {reporting({insight("User prefers Burgundy wines", 0.95, {"wine", "preference"})})});
  start();
  journal->refuses = [](
                       const page_event& x) { return x.observation->type == "contextual_insight"; };
  auto direct = ask(host->page(),
    add_observation{as_tool("wine_search"), insight("User likes fish", 0.95, {"food"})});
  BOOST_TEST(failure_of(direct) == "storage_unavailable");
  BOOST_TEST(traced("add_observation", "storage_unavailable") == 1u);

  auto first = use("wine_search");
  BOOST_TEST(to_string(first.status) == "complete"); // the failure blocks no turn
  BOOST_TEST(of_type("tool_result").size() == 1u);
  BOOST_TEST(of_type("contextual_insight").empty());
  BOOST_TEST(goals().empty());
  BOOST_TEST(traced("add_observation", "storage_unavailable") == 2u);
  BOOST_TEST(traced("publish", "storage_unavailable") == 1u);

  journal->refuses = {};
  auto second = say("And what goes with fish?");
  auto x = only("contextual_insight");
  BOOST_TEST(x->content == "User prefers Burgundy wines");
  BOOST_TEST(x->source.name == "wine_search");
  BOOST_TEST(x->source.turn_id == first.turn_id); // the turn that reported it
  BOOST_TEST(traced("offer_again") == 1u);
  BOOST_TEST(only_goal().observation_id == x->observation_id);
  BOOST_TEST(to_string(second.status) == "more_work");
}

BOOST_FIXTURE_TEST_CASE(
  a_turn_that_cannot_be_stored_says_so_and_the_next_one_works, cortex_team, *label("FC_f1")) {
  start();
  journal->refuses = [](const page_event&) { return true; };
  begin_turn request;
  request.input = "Hello there";
  BOOST_TEST(failure_of(ask(host->turns(), request)) == "storage_unavailable");
  journal->refuses = {};
  BOOST_TEST(to_string(say("Hello there").status) == "complete");
}

// -- goals --------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_goal_that_could_not_be_kept_is_made_at_the_next_turn, cortex_team, *label("FC_f2")) {
  add_tool({.tool_id = "wine_search"},
    {reporting({insight("User prefers Burgundy wines", 0.95, {"wine", "preference"})})});
  start();
  store->fails = true;
  auto first = use("wine_search");
  BOOST_TEST(to_string(first.status) == "complete");
  BOOST_TEST(goals().empty());
  BOOST_TEST(first.goals.empty());
  auto x = only("contextual_insight");
  BOOST_TEST(to_string(x->status) == "active");
  BOOST_TEST(!x->linked_to_goal);
  BOOST_TEST(x->linked_goal_ids.empty());
  BOOST_TEST(traced("create_goal", "storage_unavailable") == 1u);

  say("And what goes with fish?"); // still failing: one attempt per turn
  BOOST_TEST(goals().empty());
  BOOST_TEST(traced("create_goal", "storage_unavailable") == 2u);
  BOOST_TEST(!still(x)->linked_to_goal);

  store->fails = false;
  say("And what goes with cheese?");
  auto made = only_goal();
  BOOST_TEST(made.observation_ids == ids_of({x}), per_element());
  BOOST_TEST(to_string(made.status) == "pending");
  BOOST_TEST(store->kept.contains(made.goal_id));
  BOOST_TEST(still(x)->linked_goal_ids == texts{made.goal_id}, per_element());
  BOOST_TEST(traced("create_goal", "success") == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  what_came_in_different_turns_is_tried_again_together, cortex_team, *label("FC_f2")) {
  start();
  auto first = note("User mentioned budget constraint: $50", 0.95, {"budget", "constraint"});
  store->fails = true;
  auto second = note("User mentioned time constraint: 1 hour", 0.95, {"time", "constraint"});
  BOOST_TEST(goals().empty());
  BOOST_TEST(!still(first)->linked_to_goal);
  BOOST_TEST(!still(second)->linked_to_goal);
  store->fails = false;
  say("Hello there");
  BOOST_TEST(only_goal().observation_ids == ids_of({first, second}), per_element());
}

BOOST_FIXTURE_TEST_CASE(
  an_observation_that_could_not_join_its_goal_joins_it_later, cortex_team, *label("FC_f2")) {
  start();
  auto first = note("User prefers Burgundy wines", 0.95, {"wine"}, "find_wine");
  store->fails = true;
  auto second = note("User likes fish", 0.95, {"food"}, "find_wine");
  BOOST_TEST(only_goal().observation_ids == ids_of({first}), per_element());
  BOOST_TEST(!still(second)->linked_to_goal);
  BOOST_TEST(traced("extend_goal", "storage_unavailable") == 1u);
  store->fails = false;
  say("Hello there");
  BOOST_TEST(only_goal().observation_ids == ids_of({first, second}), per_element());
  BOOST_TEST(still(second)->linked_goal_ids == texts{"find_wine"}, per_element());
}

// -- queries ------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_query_past_its_deadline_answers_what_it_has, crowded_team, *label("FC_f3")) {
  start_on(hurried);
  fill();
  BOOST_TEST(value(certain_ones()).total_count == bottles);
  hurried->a_look_takes = std::chrono::milliseconds{30};
  auto found = value(certain_ones());
  BOOST_TEST(found.partial);
  BOOST_TEST(found.total_count < bottles);
  BOOST_TEST(found.observations.size() == 10u);
  for (const auto& x : found.observations)
    BOOST_TEST(x->confidence == 0.52);
  BOOST_TEST(traced("query_observations", "partial") == 1u);

  query_observations few{.by = as_daemon("probe")};
  few.filter.tags = {"wine"};
  auto simpler = value(ask(host->page(), few)); // the index counts them without checking each
  BOOST_TEST(!simpler.partial);
  BOOST_TEST(simpler.total_count == bottles);
  hurried->a_look_takes = timespan{0};
  auto again = value(certain_ones());
  BOOST_TEST(!again.partial);
  BOOST_TEST(again.total_count == bottles);
}

BOOST_FIXTURE_TEST_CASE(
  a_query_without_any_time_is_empty_or_partial_and_no_error, crowded_team, *label("FC_f3")) {
  start();
  fill();
  query_observations request;
  request.by = as_daemon("probe");
  request.text = "bottle 7";
  request.deadline = timespan{0};
  auto found = value(ask(host->page(), request));
  BOOST_TEST(found.partial);
  BOOST_TEST(found.total_count < bottles);
}

BOOST_FIXTURE_TEST_CASE(a_partial_answer_never_fails_a_decision, crowded_team, *label("FC_f3")) {
  add_tool({.tool_id = "wine_search"}, {reporting({})});
  start_on(hurried);
  fill();
  hurried->a_look_takes = std::chrono::milliseconds{30};
  auto search = call("wine_search");
  search.scratch_page_query.emplace().filters.tags = {"wine"};
  search.scratch_page_query->filters.min_confidence = 0.51;
  auto result = say("Go ahead", {search});
  BOOST_TEST(to_string(result.status) == "more_work");
  BOOST_TEST(of_type("tool_result").size() == 1u);
  BOOST_TEST(traced("query_observations", "partial") >= 1u);
}

// -- conflicts ----------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  observations_that_contradict_each_other_are_all_returned, cortex_team, *label("FC_f4")) {
  add_tool({.tool_id = "wine_search"},
    {reporting({insight("User prefers Burgundy wines", 0.95, {"wine", "preference"}, "find_wine")}),
      reporting({insight("User prefers Riesling", 0.92, {"wine", "preference"}, "find_wine")})});
  start();
  use("wine_search");
  use("wine_search");
  auto found = tagged({"wine", "preference"});
  BOOST_TEST(contents_of(found.observations)
               == (texts{"User prefers Riesling", "User prefers Burgundy wines"}),
    per_element());
  auto ids = in_order(ids_of(found.observations));
  BOOST_REQUIRE(found.conflicts.size() == 1u);
  BOOST_TEST(in_order(found.conflicts.front().observation_ids) == ids, per_element());
  BOOST_TEST(!found.conflicts.front().subject.empty());
  auto logged = entries("conflict");
  BOOST_REQUIRE(!logged.empty());
  BOOST_TEST(logged.back().component == "scratch_page");
  for (const auto& x : found.observations)
    BOOST_TEST(!about("conflict", x).empty());

  auto decided_on = only_goal(); // the goal refers to both observations
  BOOST_TEST(in_order(decided_on.observation_ids) == ids, per_element());
  BOOST_TEST(decided_on.evidence.size() == 2u);

  // The user archives the wrong observation, which ends the conflict.
  archive_observation wrong{as_user("ann"), found.observations.back()->observation_id};
  BOOST_REQUIRE(ask(host->page(), wrong));
  BOOST_TEST(tagged({"wine", "preference"}).conflicts.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
