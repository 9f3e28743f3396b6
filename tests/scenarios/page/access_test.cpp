#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"
#include "scratchpage/tests/support/callers.hpp"

/// Access to pages: agents share nothing, and each role has its own rights (contract 12).

namespace scratchpage::test {

namespace {

/// Two pages of two agents: the fixture's page, and `other`.
struct two_agents : page_fixture {
  std::shared_ptr<faulty_journal> other_journal = std::make_shared<faulty_journal>();
  scratch_page_actor other;

  two_agents() {
    start();
    auto with = setup;
    with.journal = own(spawn_journal(sys, other_journal));
    other = start_page("other", with);
  }
};

struct one_page : page_fixture {
  caller tool = as_tool("cellar", "turn_1");

  one_page() {
    start();
    add(note("a tool's", {"wine"}), tool);
    add(note("a daemon's"), as_daemon("cellar", "turn_1")); // the same name as the tool
    add(note("another tool's"), as_tool("timetable"));
  }

  template <class T>
  auto is_forbidden(const caf::expected<T>& x) {
    return refused(x, errc::forbidden, "by.role");
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(pages_of_two_agents_share_nothing, two_agents, *label("SP_access_scope")) {
  auto ours = watch_page();
  auto theirs = new_probe();
  value(ask(other, order_of(theirs)));
  add(note("a secret wine", {"wine"}));
  add(note("another secret"));
  archive(id(2));
  BOOST_TEST(ours.lines().size() == 3u);
  BOOST_TEST(theirs.lines().empty());
  for (const auto& request :
    {asking(), asking(anything()), asking({}, "secret wine"), asking(with_tags({"wine"}))}) {
    auto found = value(ask(other, request));
    BOOST_TEST(found.observations.empty());
    BOOST_TEST(found.total_count == 0u);
  }
  auto by = as_daemon("spy");
  BOOST_TEST(!value(ask(other, get_observation{by, id(1)})));
  BOOST_TEST(value(ask(other, get_active_observations{by})).observations.empty());
  BOOST_TEST(value(ask(other, list_archive{by, {}, 10, {}})).observations.empty());
  BOOST_TEST(value(ask(other, caf::get_atom_v)).sequence == 0u);
  BOOST_TEST(other_journal->kept.empty());
}

BOOST_FIXTURE_TEST_CASE(
  what_is_anothers_is_answered_as_what_is_nobodys, two_agents, *label("SP_access_scope")) {
  add(note("x"));
  auto by = as_daemon("spy");
  auto same = [](const auto& one, const auto& another) {
    return !one && !another && code_of(one.error()) == code_of(another.error())
           && field_of(one.error()) == field_of(another.error());
  };
  for (const auto& observation_id : {id(1), id(7)}) {
    update_observation change{.by = by, .observation_id = observation_id, .changes = {}};
    change.changes.content = "overwritten";
    BOOST_CHECK(refused(ask(other, change), errc::not_found, "observation_id"));
    BOOST_CHECK(refused(
      ask(other, archive_observation{by, observation_id}), errc::not_found, "observation_id"));
    BOOST_CHECK(refused(
      ask(other, clear_resolved{by, {observation_id}}), errc::not_found, "observation_ids"));
    auto linked = value(ask(other, link_observations{by, "goal_1", {observation_id}}));
    BOOST_TEST(linked.observation_ids.empty());
  }
  BOOST_TEST(
    same(ask(other, archive_observation{by, id(1)}), ask(other, archive_observation{by, id(7)})));
  BOOST_TEST(get(id(1))->content == "x");
  BOOST_TEST(get(id(1))->revision == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  each_agent_has_its_own_ids_sequences_types_and_turns, two_agents, *label("SP_access_scope")) {
  add(note("x"));
  add(note("x"));
  auto theirs = value(ask(other, add_observation{as_daemon("planner"), note("y")})).observation;
  BOOST_TEST(theirs->observation_id == id(1));
  BOOST_TEST(value(ask(other, caf::get_atom_v)).sequence == 1u);
  BOOST_TEST(get(id(1))->content == "x");
  value(ask(page, register_type{as_admin("root"), "rumour"}));
  BOOST_TEST(!ask(other, add_observation{as_daemon("planner"), draft("rumour", "y")}));
  value(ask(page, open_turn{as_daemon("turns", "t")}));
  BOOST_CHECK(
    refused(ask(other, close_turn{as_daemon("turns", "t")}), errc::not_found, "by.turn_id"));
  for (const auto& entry : trace->entries())
    BOOST_TEST((entry.agent_id == "tester" || entry.agent_id == "other"));
}

BOOST_FIXTURE_TEST_CASE(a_tool_may_add_and_query, one_page, *label("SP_access_tools")) {
  BOOST_TEST(static_cast<bool>(try_add(note("new"), tool)));
  auto request = asking(with_tags({"wine"}));
  request.by = tool;
  BOOST_TEST(numbers(query(request)) == "1");
  BOOST_TEST(static_cast<bool>(value(ask(page, get_observation{tool, id(2)}))));
}

BOOST_FIXTURE_TEST_CASE(
  a_tool_may_change_only_what_it_added_itself, one_page, *label("SP_access_tools")) {
  for (unsigned others : {2u, 3u}) {
    auto before = text_of(*get(id(others)));
    BOOST_CHECK(refused(
      try_update(id(others), {.content = "mine"}, tool), errc::forbidden, "observation_id"));
    BOOST_CHECK(
      refused(ask(page, archive_observation{tool, id(others)}), errc::forbidden, "observation_id"));
    BOOST_TEST(text_of(*get(id(others))) == before);
  }
  BOOST_TEST(traced("update_observation", "forbidden").size() == 2u);
  BOOST_TEST(update(id(1), {.content = "changed"}, tool)->content == "changed");
  BOOST_TEST(static_cast<bool>(ask(page, archive_observation{tool, id(1)})));
}

/// A token can have the name of a tool that the ensemble calls.
BOOST_FIXTURE_TEST_CASE(
  a_tool_from_outside_neither_changes_nor_archives_what_a_call_gave, one_page) {
  auto namesake = test::from_outside(as_tool("cellar"));
  auto before = text_of(*get(id(1)));
  BOOST_CHECK(refused(
    try_update(id(1), {.status = status::resolved}, namesake), errc::forbidden, "observation_id"));
  BOOST_CHECK(
    refused(try_update(id(1), {.ttl_minutes = 1}, namesake), errc::forbidden, "observation_id"));
  BOOST_CHECK(
    refused(ask(page, archive_observation{namesake, id(1)}), errc::forbidden, "observation_id"));
  BOOST_TEST(text_of(*get(id(1))) == before);
  add(note("its own"), namesake);
  BOOST_TEST(update(id(4), {.content = "changed"}, namesake)->content == "changed");
  BOOST_TEST(static_cast<bool>(ask(page, archive_observation{namesake, id(4)})));
}

BOOST_FIXTURE_TEST_CASE(a_tool_may_do_nothing_else, one_page, *label("SP_access_tools")) {
  set_status(id(1), status::resolved);
  value(ask(page, open_turn{as_daemon("turns", "turn_1")}));
  auto before = to_text(to_json(stats()));
  auto x = new_probe();
  auto order = order_of(x);
  order.by = tool;
  BOOST_CHECK(is_forbidden(ask(page, order)));
  BOOST_CHECK(is_forbidden(ask(page, clear_resolved{tool, {id(1)}})));
  BOOST_CHECK(is_forbidden(ask(page, link_observations{tool, "goal_1", {id(1)}})));
  BOOST_CHECK(is_forbidden(ask(page, register_type{tool, "rumour"})));
  BOOST_CHECK(is_forbidden(ask(page, goal_closed{tool, "goal_1"})));
  BOOST_CHECK(is_forbidden(ask(page, review_candidates{tool})));
  BOOST_CHECK(is_forbidden(ask(page, take_candidates{tool, {}})));
  BOOST_CHECK(is_forbidden(ask(page, unsubscribe{tool, x.handle})));
  BOOST_CHECK(is_forbidden(ask(page, open_turn{tool})));
  BOOST_CHECK(is_forbidden(ask(page, hold_turn{tool})));
  BOOST_CHECK(is_forbidden(ask(page, release_turn{tool})));
  BOOST_CHECK(is_forbidden(ask(page, await_quiet{tool, quiet_stage::ended})));
  BOOST_CHECK(is_forbidden(ask(page, close_turn{tool})));
  BOOST_TEST(to_text(to_json(stats())) == before);
}

BOOST_FIXTURE_TEST_CASE(a_daemon_may_change_whatever_its_agent_has, one_page) {
  for (unsigned i = 1; i <= 3; ++i)
    BOOST_TEST(update(id(i), {.content = "seen"}, as_daemon("evaluator"))->content == "seen");
  archive(id(1));
  set_status(id(2), status::resolved);
  BOOST_TEST(static_cast<bool>(try_clear({id(2)})));
}

} // namespace scratchpage::test
