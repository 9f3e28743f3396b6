#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/policies/confirm_goal.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

const goal_progress& progress() {
  static const goal_progress result{default_config().goal_progress};
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

BOOST_AUTO_TEST_CASE(a_yes_to_a_tools_question_lets_no_blocked_goal_go_on) {
  goal x;
  x.goal_id = "g";
  x.status = goal_status::blocked;
  x.pending_actions = {action("a1", assignee::user)};
  x.pending_actions[0].action_type = confirm_goal;
  auto asked = about_action("a1");
  asked.source.kind = source_kind::tool;
  BOOST_TEST(!progress().resolved(x, asked, assignee::user));
  BOOST_TEST(to_string(x.status) == "blocked");
  asked.source.kind = source_kind::daemon;
  BOOST_TEST(progress().resolved(x, asked, assignee::user));
  BOOST_TEST(to_string(x.status) != "blocked");
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
