#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

const goal_progress& progress() {
  static const goal_progress result{default_config().goal_progress, default_config().consent};
  return result;
}

pending_action action(std::string id, assignee who = assignee::agent) {
  pending_action x;
  x.action_id = std::move(id);
  x.assigned_to = who;
  return x;
}

observation about_action(const char* id) {
  auto x = seen("obs_1", "pending_confirmation", "Waiting");
  x.context["pending_action_id"] = id;
  x.status = status::resolved;
  return x;
}

/// A question of `asked_by` about the action `a1`, with ada's answer.
observation answered(source asked_by, std::string_view answer) {
  auto x = about_action("a1");
  x.source = std::move(asked_by);
  x.resolved_by = source{source_kind::user, "ada", "turn_2", {}};
  x.metadata["answer"] = answer;
  x.metadata["answer_id"] = "obs_2";
  return x;
}

const source cortex{source_kind::daemon, "frontal_cortex", "turn_1", {}};
const source assistant{source_kind::daemon, "assistant", {}, {}};
const source clarifier{source_kind::daemon, "clarifier", "turn_1", {}};
const source run_tool{source_kind::tool, "flight_search", "turn_1", {}};
const source tool_outside{source_kind::tool, "gauge", {}, {}};

/// A goal with an action that the user has to do.
goal users_goal(std::string_view type, goal_status status) {
  goal x;
  x.goal_id = "g";
  x.status = status;
  x.pending_actions = {action("a1", assignee::user), action("a2")};
  x.pending_actions[0].action_type = type;
  return x;
}

/// Whether the observation completes the user's action.
bool is_done_by(const observation& x, std::string_view type = "pay") {
  auto of = users_goal(type, goal_status::blocked);
  return progress().resolved(of, x, resolver_of(x))
         && of.pending_actions[0].status == action_status::done;
}

} // namespace

BOOST_AUTO_TEST_SUITE(goals)

BOOST_AUTO_TEST_CASE(each_linked_observation_moves_a_goal_and_starts_it) {
  goal x;
  BOOST_TEST(progress().linked(x, seen("o", "observation", "a", {}, 0.95)));
  BOOST_TEST(to_string(x.status) == "in_progress");
  auto first = x.progress;
  BOOST_TEST(first > 0.0);
  BOOST_TEST(progress().linked(x, seen("o", "observation", "b", {}, 0.9)));
  BOOST_TEST(x.progress > first);
}

BOOST_AUTO_TEST_CASE(progress_stays_below_one_and_never_falls) {
  goal x;
  for (int i = 0; i < 1000; ++i) {
    auto before = x.progress;
    progress().linked(x, seen("o", "observation", "a", {}, 7));
    BOOST_REQUIRE(x.progress >= before);
  }
  BOOST_TEST(x.progress <= default_config().goal_progress.open_limit);
  x.progress = 1;
  BOOST_TEST(!progress().linked(x, seen("o", "observation", "a")));
  BOOST_TEST(x.progress == 1.0);
}

BOOST_AUTO_TEST_CASE(neither_repetition_nor_a_failure_moves_a_goal) {
  goal x;
  auto said = seen("obs_1", "contextual_insight", "Two rooms are free in May", {}, 0.95);
  x.evidence = {{"obs_1", said.content, 0.95, "tool hotels"}};
  auto again = said;
  again.observation_id = "obs_2";
  BOOST_TEST(!progress().linked(x, again));
  BOOST_TEST(progress().linked(x, said));
  auto before = x.progress;
  for (auto text : {"No flights are left", "The booking failed", "Es war nicht möglich"})
    BOOST_TEST(!progress().linked(x, seen("obs_3", "observation", text, {}, 0.9)), text);
  BOOST_TEST(!progress().linked(x, seen("obs_4", "error_alert", "x", {}, 0.9)));
  BOOST_TEST(x.progress == before);
}

BOOST_AUTO_TEST_CASE(a_resolved_observation_completes_the_agents_action) {
  goal x;
  x.pending_actions = {action("a1"), action("a2")};
  BOOST_TEST(progress().resolved(x, about_action("a1"), assignee::agent));
  BOOST_TEST(to_string(x.pending_actions[0].status) == "done");
  BOOST_TEST(x.progress == 0.5);
  BOOST_TEST(to_string(x.status) == "in_progress");
  BOOST_TEST(!progress().resolved(x, about_action("a1"), assignee::agent));
  BOOST_TEST(progress().resolved(x, about_action("a2"), assignee::agent));
  BOOST_TEST(x.progress == 1.0);
  BOOST_TEST(to_string(x.status) == "completed");
}

BOOST_AUTO_TEST_CASE(a_warning_that_was_given_completes_the_action_to_warn_of_that_alert) {
  auto smoke = seen("obs_1", "alert", "Smoke in the server room");
  goal x;
  x.pending_actions = {action("a1"), action("a2"), action("a3", assignee::user)};
  for (auto& one : x.pending_actions) {
    one.action_type = warn_user;
    one.description = "Warn the user: Smoke in the server room";
  }
  x.pending_actions[1].description = "Warn the user: Water in the cellar";
  BOOST_TEST(progress().warned(x, smoke));
  BOOST_TEST((x.pending_actions[0].status == action_status::done));
  BOOST_TEST((x.pending_actions[1].status == action_status::pending));
  BOOST_TEST((x.pending_actions[2].status == action_status::pending)); // it is the user's
  BOOST_TEST(!progress().warned(x, smoke));
  BOOST_TEST(!is_over(x));
}

BOOST_AUTO_TEST_CASE(done_actions_do_not_lower_progress) {
  goal x;
  x.progress = 0.8;
  x.pending_actions = {action("a1"), action("a2")};
  progress().resolved(x, about_action("a1"), assignee::agent);
  BOOST_TEST(x.progress == 0.8);
}

BOOST_AUTO_TEST_CASE(the_agent_never_completes_an_action_of_the_users) {
  goal x;
  x.goal_id = "g";
  x.pending_actions = {action("a1", assignee::user)};
  BOOST_TEST(!progress().resolved(x, about_action("a1"), assignee::agent));
  BOOST_TEST(to_string(code_of(progress().complete(x, "a1", assignee::agent))) == "forbidden");
  BOOST_TEST(to_string(x.pending_actions[0].status) == "pending");
  BOOST_TEST(progress().resolved(x, about_action("a1"), assignee::user));
  BOOST_TEST(to_string(x.status) == "completed");
}

BOOST_AUTO_TEST_CASE(the_page_says_who_resolved_an_observation) {
  auto x = about_action("a1");
  x.source.kind = source_kind::daemon;
  BOOST_TEST(to_string(resolver_of(x)) == "agent");
  x.resolved_by = source{source_kind::user, "ada", {}, {}};
  BOOST_TEST(to_string(resolver_of(x)) == "user");
  x.resolved_by.reset();
  x.source.kind = source_kind::user;
  BOOST_TEST(to_string(resolver_of(x)) == "user");
}

BOOST_AUTO_TEST_CASE(an_agent_that_resolves_what_a_person_said_does_not_do_that_persons_action) {
  auto x = about_action("a1");
  x.source = source{source_kind::user, "ada", {}, {}};
  x.resolved_by = source{source_kind::daemon, "assistant", {}, {}};
  BOOST_TEST(to_string(resolver_of(x)) == "agent");
}

BOOST_AUTO_TEST_CASE(what_metadata_claims_of_an_answer_is_not_believed) {
  auto x = about_action("a1");
  x.source.kind = source_kind::daemon;
  x.metadata["answered_by"] = "user";
  BOOST_TEST(to_string(resolver_of(x)) == "agent");
}

BOOST_AUTO_TEST_CASE(a_relayed_answer_is_not_the_users) {
  auto x = about_action("a1");
  x.source.kind = source_kind::daemon;
  x.resolved_by = source{source_kind::user, "ada", {}, {}, "mcp_client"};
  BOOST_TEST(to_string(resolver_of(x)) == "agent");
  x.source = source{source_kind::user, "ada", {}, {}, "mcp_client"};
  BOOST_TEST(to_string(resolver_of(x)) == "agent");
}

BOOST_AUTO_TEST_CASE(a_goal_is_confirmed_by_a_plain_yes_to_a_question_of_the_ensemble_alone) {
  for (const auto& asked_by :
    {assistant, run_tool, tool_outside, source{source_kind::user, "ada", {}, {}},
      source{source_kind::daemon, "clarifier", {}, {}}})
    BOOST_TEST(!is_done_by(answered(asked_by, "Yes"), confirm_goal), asked_by.name);
  for (const auto* no : {"No", "Never mind", "Yes, but not now", "The morning one", "Yes?", ""})
    BOOST_TEST(!is_done_by(answered(cortex, no), confirm_goal), no);
  BOOST_TEST(is_done_by(answered(cortex, "Yes, please"), confirm_goal));
  auto relayed = answered(cortex, "Yes");
  relayed.resolved_by = source{source_kind::user, "ada", {}, {}, "mcp_client"};
  BOOST_TEST(!is_done_by(relayed, confirm_goal));
}

BOOST_AUTO_TEST_CASE(who_resolves_a_question_by_themself_confirms_no_goal_with_it) {
  auto x = about_action("a1");
  x.resolved_by = source{source_kind::user, "ada", {}, {}};
  for (const auto& asked_by : {cortex, assistant, tool_outside}) {
    x.source = asked_by;
    BOOST_TEST(!is_done_by(x, confirm_goal));
  }
}

BOOST_AUTO_TEST_CASE(an_answer_that_declines_defers_or_asks_back_ends_no_action_of_the_users) {
  for (const auto& asked_by : {clarifier, run_tool, cortex}) {
    for (const auto* no : {"No", "Nope, thanks", "Never mind", "Cancel", "Please don't", "Not yet",
           "Why?", "No, why would I?", ""})
      BOOST_TEST(!is_done_by(answered(asked_by, no)), no);
    for (const auto* yes : {"Yes, the morning flight please", "The morning one", "No problem"})
      BOOST_TEST(is_done_by(answered(asked_by, yes)), yes);
  }
  auto declined = answered(clarifier, "Rather the train");
  declined.metadata["outcome"] = "declined";
  BOOST_TEST(!is_done_by(declined));
}

BOOST_AUTO_TEST_CASE(a_question_of_a_tool_from_outside_ends_no_action_of_the_users) {
  BOOST_TEST(!is_done_by(answered(tool_outside, "Yes")));
  auto x = about_action("a1");
  x.resolved_by = source{source_kind::user, "ada", {}, {}};
  for (const auto& asked_by : {tool_outside, run_tool}) {
    x.source = asked_by;
    BOOST_TEST(!is_done_by(x));
  }
}

BOOST_AUTO_TEST_CASE(an_answer_to_a_question_that_an_agent_worded_ends_no_action_of_the_users) {
  const source in_turn{source_kind::daemon, "assistant", "turn_1", {}};
  for (const auto& asked_by : {assistant, in_turn, source{source_kind::user, "bob", {}, {}}})
    for (const auto* words : {"Blue", "Yes, it is paid"})
      BOOST_TEST(!is_done_by(answered(asked_by, words)), asked_by.name);
}

BOOST_AUTO_TEST_CASE(a_note_that_an_agent_worded_ends_no_action_of_the_user_who_resolves_it) {
  auto x = about_action("a1");
  x.resolved_by = source{source_kind::user, "ada", {}, {}};
  for (const auto& by : {assistant, source{source_kind::user, "ada", {}, {}, "assistant"}}) {
    x.source = by;
    BOOST_TEST(!is_done_by(x), by.name);
  }
  for (const auto& by : {source{source_kind::user, "ada", {}, {}}, clarifier}) {
    x.source = by;
    BOOST_TEST(is_done_by(x), by.name);
  }
}

BOOST_AUTO_TEST_CASE(an_action_that_needs_confirmation_is_done_and_refused_by_a_person_alone) {
  goal x;
  x.pending_actions = {action("a1"), action("a2")};
  x.pending_actions[0].requires_confirmation = true;
  BOOST_TEST(to_string(code_of(progress().complete(x, "a1", assignee::agent))) == "forbidden");
  BOOST_TEST(to_string(code_of(progress().cancel(x, "a1", assignee::agent))) == "forbidden");
  BOOST_TEST(!progress().resolved(x, about_action("a1"), assignee::agent));
  auto asked = answered(assistant, "Yes");
  BOOST_TEST(!progress().resolved(x, asked, resolver_of(asked)));
  BOOST_TEST(to_string(x.pending_actions[0].status) == "pending");
  auto refused = x;
  BOOST_TEST(!progress().cancel(refused, "a1", assignee::user));
  BOOST_TEST(to_string(refused.pending_actions[0].status) == "cancelled");
  BOOST_TEST(!progress().complete(x, "a1", assignee::user));
  BOOST_TEST(to_string(x.pending_actions[0].status) == "done");
}

BOOST_AUTO_TEST_CASE(a_blocked_goal_waits_for_an_action_that_needs_confirmation) {
  goal x;
  x.status = goal_status::blocked;
  x.pending_actions = {action("a1")};
  BOOST_TEST(agent_may_set(x, goal_status::completed));
  x.pending_actions[0].requires_confirmation = true;
  BOOST_TEST(!agent_may_set(x, goal_status::completed));
}

BOOST_AUTO_TEST_CASE(what_a_tool_from_outside_noticed_moves_no_goal) {
  goal x;
  auto noticed = seen("o", "observation", "a", {}, 1);
  noticed.source = tool_outside;
  BOOST_TEST(!progress().linked(x, noticed));
  BOOST_TEST(to_string(x.status) == "pending");
  BOOST_TEST(x.progress == 0.0);
  for (const auto& by : {run_tool, assistant, source{source_kind::user, "ada", {}, {}}}) {
    noticed.source = by;
    BOOST_TEST(progress().linked(x, noticed), by.name);
  }
}

BOOST_AUTO_TEST_CASE(what_a_program_from_outside_says_moves_no_goal_that_waits_for_a_person) {
  const auto said = seen("o", "observation", "Ann has agreed", {}, 1);
  for (auto status : {goal_status::pending, goal_status::in_progress, goal_status::blocked}) {
    auto x = users_goal(confirm_goal, status);
    BOOST_TEST(!progress().linked(x, said, true));
    BOOST_TEST(x.progress == 0.0);
    BOOST_TEST(progress().linked(x, said, false));
  }
  auto blocked = users_goal("pay", goal_status::blocked);
  BOOST_TEST(!progress().linked(blocked, said, true));
  auto going_on = users_goal("pay", goal_status::in_progress);
  BOOST_TEST(progress().linked(going_on, said, true));
}

BOOST_AUTO_TEST_CASE(a_person_is_asked_once_for_each_reason) {
  goal x;
  await_confirmation(x, "Transfer?");
  x.pending_actions[0].action_id = "a1";
  await_confirmation(x, "Transfer?");
  BOOST_REQUIRE(x.pending_actions.size() == 1u);
  BOOST_TEST(x.pending_actions[0].action_id == "a1");
  await_confirmation(x, "Travel?");
  BOOST_REQUIRE(x.pending_actions.size() == 1u);
  BOOST_TEST(x.pending_actions[0].action_id.empty());
  BOOST_TEST(x.pending_actions[0].description == "Transfer?; Travel?");
}

BOOST_AUTO_TEST_CASE(a_confirmed_goal_waits_for_its_next_confirmation_alone) {
  auto x = users_goal(confirm_goal, goal_status::blocked);
  BOOST_TEST(!progress().complete(x, "a1", assignee::user));
  await_confirmation(x, "Travel?");
  BOOST_TEST(to_string(x.status) == "blocked");
  BOOST_REQUIRE(x.pending_actions.size() == 2u);
  BOOST_TEST(x.pending_actions[0].description == "Travel?");
  BOOST_TEST(x.pending_actions[1].action_id == "a2");
  BOOST_TEST(waits_for_confirmation(x));
}

BOOST_AUTO_TEST_CASE(a_tool_from_outside_does_no_action_of_the_agents) {
  auto resolved = [](const source& put_by, const source& by, bool answers = false) {
    goal x;
    x.pending_actions = {action("a1")};
    auto one = answers ? answered(put_by, "Yes") : about_action("a1");
    one.source = put_by;
    one.resolved_by = by;
    return progress().resolved(x, one, resolver_of(one));
  };
  const source evaluator{source_kind::daemon, "evaluator", "turn_1", {}};
  const source ada{source_kind::user, "ada", {}, {}};
  BOOST_TEST(!resolved(tool_outside, tool_outside));
  BOOST_TEST(!resolved(assistant, tool_outside));
  BOOST_TEST(!resolved(tool_outside, evaluator));
  BOOST_TEST(!resolved(tool_outside, ada, true));
  BOOST_TEST(resolved(run_tool, evaluator));
  BOOST_TEST(resolved(run_tool, run_tool));
  BOOST_TEST(resolved(tool_outside, assistant));
  BOOST_TEST(resolved(tool_outside, ada));
  BOOST_TEST(resolved(assistant, assistant));
}

BOOST_AUTO_TEST_CASE(a_change_of_what_is_resolved_is_no_resolution) {
  auto x = about_action("a1");
  BOOST_TEST(is_resolution(x));
  auto at = timestamp{std::chrono::seconds{5}};
  x.resolved_by = source{source_kind::user, "ada", {}, at};
  x.updated_at = at;
  BOOST_TEST(is_resolution(x));
  x.updated_at = at + std::chrono::milliseconds{1};
  BOOST_TEST(!is_resolution(x));
}

BOOST_AUTO_TEST_CASE(a_goal_waits_for_its_confirmation_whatever_its_status_is) {
  for (auto status : {goal_status::pending, goal_status::in_progress, goal_status::blocked,
         goal_status::completed, goal_status::abandoned}) {
    auto x = users_goal(confirm_goal, status);
    BOOST_TEST(waits_for_person(x));
    for (auto next : {goal_status::pending, goal_status::in_progress, goal_status::completed})
      BOOST_TEST(agent_may_set(x, next) == (next == status));
    BOOST_TEST(agent_may_set(x, goal_status::abandoned));
    BOOST_TEST(agent_may_set(x, goal_status::blocked));
    x.pending_actions[0].status = action_status::done;
    BOOST_TEST(!waits_for_person(x));
  }
}

BOOST_AUTO_TEST_CASE(a_blocked_goal_waits_for_any_action_of_the_users_also_once_it_is_given_up) {
  for (auto status : {goal_status::blocked, goal_status::abandoned}) {
    auto x = users_goal("pay", status);
    BOOST_TEST(waits_for_person(x));
    for (auto next : {goal_status::pending, goal_status::in_progress, goal_status::completed})
      BOOST_TEST(!agent_may_set(x, next));
  }
  BOOST_TEST(agent_may_set(users_goal("pay", goal_status::pending), goal_status::in_progress));
}

BOOST_AUTO_TEST_CASE(what_is_linked_or_done_by_the_agent_starts_no_goal_that_waits_for_a_person) {
  auto x = users_goal(confirm_goal, goal_status::pending);
  progress().linked(x, seen("o", "observation", "a"));
  BOOST_TEST(to_string(x.status) == "pending");
  BOOST_TEST(!progress().complete(x, "a2", assignee::agent));
  BOOST_TEST(to_string(x.status) == "pending");
  BOOST_TEST(!progress().complete(x, "a1", assignee::user));
  BOOST_TEST(to_string(x.status) == "completed");
}

BOOST_AUTO_TEST_CASE(an_unknown_or_cancelled_action_is_refused) {
  goal x;
  x.pending_actions = {action("a1")};
  x.pending_actions[0].status = action_status::cancelled;
  BOOST_TEST(
    to_string(code_of(progress().complete(x, "a1", assignee::user))) == "invalid_transition");
  BOOST_TEST(to_string(code_of(progress().complete(x, "a2", assignee::user))) == "not_found");
}

BOOST_AUTO_TEST_CASE(a_refused_action_is_cancelled_and_what_is_left_decides_about_the_goal) {
  goal x;
  x.pending_actions = {action("a1"), action("a2", assignee::user), action("a3")};
  BOOST_TEST(!progress().cancel(x, "a1", assignee::user));
  BOOST_TEST(to_string(x.pending_actions[0].status) == "cancelled");
  BOOST_TEST(to_string(x.status) == "pending");
  BOOST_TEST(to_string(code_of(progress().cancel(x, "a2", assignee::agent))) == "forbidden");
  BOOST_TEST(to_string(code_of(progress().cancel(x, "a4", assignee::user))) == "not_found");
  BOOST_TEST(!progress().complete(x, "a3", assignee::agent));
  BOOST_TEST(
    to_string(code_of(progress().cancel(x, "a3", assignee::user))) == "invalid_transition");
  BOOST_TEST(to_string(x.status) == "in_progress");
  BOOST_TEST(!progress().cancel(x, "a2", assignee::user));
  BOOST_TEST(to_string(x.status) == "completed");
}

BOOST_AUTO_TEST_CASE(
  a_blocked_goal_goes_on_when_the_user_confirms_it_and_is_over_when_they_do_not) {
  goal x;
  x.status = goal_status::blocked;
  x.pending_actions = {action("a1", assignee::user), action("a2")};
  x.pending_actions[0].action_type = "confirm_goal";
  auto other = x;
  BOOST_TEST(!progress().complete(x, "a1", assignee::user));
  BOOST_TEST(to_string(x.status) == "in_progress");
  BOOST_TEST(x.progress == 0.5);
  BOOST_TEST(!progress().cancel(other, "a1", assignee::user));
  BOOST_TEST(to_string(other.status) == "abandoned");
}

BOOST_AUTO_TEST_CASE(another_action_does_not_unblock_a_goal) {
  goal x;
  x.status = goal_status::blocked;
  x.pending_actions = {action("a1", assignee::user), action("a2")};
  BOOST_TEST(!progress().complete(x, "a1", assignee::user));
  BOOST_TEST(to_string(x.status) == "blocked");
}

BOOST_AUTO_TEST_CASE(a_goal_of_which_all_is_refused_is_abandoned) {
  goal x;
  x.pending_actions = {action("a1"), action("a2", assignee::user)};
  BOOST_TEST(!progress().cancel(x, "a2", assignee::user));
  BOOST_TEST(to_string(x.status) == "pending");
  BOOST_TEST(!progress().cancel(x, "a1", assignee::user));
  BOOST_TEST(to_string(x.status) == "abandoned");
  BOOST_TEST(x.progress == 0.0);
}

BOOST_AUTO_TEST_CASE(a_blocked_goal_stays_blocked_and_one_that_is_over_does_not_move) {
  goal x;
  x.status = goal_status::blocked;
  progress().linked(x, seen("o", "observation", "a"));
  BOOST_TEST(to_string(x.status) == "blocked");
  x.status = goal_status::abandoned;
  x.pending_actions = {action("a1")};
  BOOST_TEST(!progress().linked(x, seen("o", "observation", "a")));
  BOOST_TEST(!progress().resolved(x, about_action("a1"), assignee::agent));
  BOOST_TEST(to_string(x.status) == "abandoned");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
