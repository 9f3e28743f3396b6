#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/turn_ledger.hpp"
#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

namespace scratchpage::test {

namespace {

caf::expected<void> result(caf::error err) {
  return err;
}

observation_ptr of_turn(std::string turn_id, std::string content) {
  observation x;
  x.content = std::move(content);
  x.source.turn_id = std::move(turn_id);
  return observation_ptr{std::move(x)};
}

/// The waiting holders that may continue once all subscribers have acknowledged up to
/// `acknowledged`: "evaluator turns".
std::string ready(turn_ledger& turns, uint64_t acknowledged) {
  std::string result;
  for (const auto& x : turns.take_ready(acknowledged))
    result.append(result.empty() ? "" : " ").append(x.holder);
  return result;
}

struct one_turn {
  turn_ledger turns{2};

  one_turn() {
    BOOST_REQUIRE(!turns.open("t"));
    turns.note("t", 5, 1, of_turn("t", "x"));
  }

  void wait(std::string who, quiet_stage stage) {
    BOOST_REQUIRE(!turns.wait("t", {std::move(who), stage, 0}));
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_turn_is_quiet_once_its_last_change_is_acknowledged, one_turn) {
  wait("turns", quiet_stage::ended);
  BOOST_TEST(ready(turns, 4) == "");
  BOOST_TEST(ready(turns, 5) == "turns");
  BOOST_TEST(ready(turns, 5) == "");
}

BOOST_FIXTURE_TEST_CASE(changes_of_other_turns_do_not_count, one_turn) {
  BOOST_REQUIRE(!turns.open("other"));
  turns.note("other", 9, 2, of_turn("other", "x"));
  turns.note("", 10, 1, of_turn("t", "y"));
  wait("turns", quiet_stage::ended);
  BOOST_TEST(ready(turns, 5) == "turns");
}

BOOST_FIXTURE_TEST_CASE(holds_stop_all_stages_but_the_first, one_turn) {
  BOOST_REQUIRE(!turns.hold("t", "executor"));
  wait("first", quiet_stage::started);
  wait("second", quiet_stage::executed);
  BOOST_TEST(ready(turns, 5) == "first");
  BOOST_TEST(ready(turns, 5) == "");
  BOOST_REQUIRE(!turns.release("t", "executor"));
  BOOST_TEST(ready(turns, 5) == "second");
}

BOOST_FIXTURE_TEST_CASE(holds_are_counted_for_each_holder, one_turn) {
  for (auto* holder : {"a", "a", "b"})
    BOOST_REQUIRE(!turns.hold("t", holder));
  wait("turns", quiet_stage::ended);
  BOOST_REQUIRE(!turns.release("t", "a"));
  BOOST_REQUIRE(!turns.release("t", "b"));
  BOOST_TEST(ready(turns, 5) == "");
  BOOST_CHECK(refused(result(turns.release("t", "b")), errc::not_found, "by.name"));
  BOOST_REQUIRE(!turns.release("t", "a"));
  BOOST_TEST(ready(turns, 5) == "turns");
}

BOOST_FIXTURE_TEST_CASE(the_stages_follow_each_other_whoever_asked_first, one_turn) {
  wait("turns", quiet_stage::ended);
  wait("evaluator", quiet_stage::executed);
  wait("outside", quiet_stage::worked);
  wait("answer", quiet_stage::started);
  BOOST_TEST(ready(turns, 5) == "answer");
  BOOST_TEST(ready(turns, 5) == "outside");
  BOOST_TEST(ready(turns, 5) == ""); // "outside" holds the turn now
  BOOST_REQUIRE(!turns.release("t", "outside"));
  BOOST_TEST(ready(turns, 5) == "evaluator");
  BOOST_TEST(ready(turns, 5) == ""); // "evaluator" holds the turn now
  BOOST_REQUIRE(!turns.release("t", "evaluator"));
  BOOST_TEST(ready(turns, 5) == "turns");
}

BOOST_FIXTURE_TEST_CASE(a_later_stage_waits_for_what_the_earlier_one_wrote, one_turn) {
  wait("evaluator", quiet_stage::executed);
  wait("turns", quiet_stage::ended);
  BOOST_TEST(ready(turns, 5) == "evaluator");
  turns.note("t", 8, 2, of_turn("t", "result"));
  BOOST_REQUIRE(!turns.release("t", "evaluator"));
  BOOST_TEST(ready(turns, 7) == "");
  BOOST_TEST(ready(turns, 8) == "turns");
}

BOOST_FIXTURE_TEST_CASE(who_waits_for_one_stage_is_let_on_together, one_turn) {
  wait("one", quiet_stage::executed);
  wait("two", quiet_stage::executed);
  BOOST_TEST(ready(turns, 5) == "one two");
  wait("turns", quiet_stage::ended);
  BOOST_REQUIRE(!turns.release("t", "one"));
  BOOST_TEST(ready(turns, 5) == "");
}

BOOST_FIXTURE_TEST_CASE(who_is_gone_holds_nothing, one_turn) {
  BOOST_REQUIRE(!turns.hold("t", "executor"));
  BOOST_REQUIRE(!turns.hold("t", "executor"));
  turns.release_all("executor");
  wait("turns", quiet_stage::ended);
  BOOST_TEST(ready(turns, 5) == "turns");
}

BOOST_FIXTURE_TEST_CASE(closing_gives_the_last_form_of_what_the_turn_added, one_turn) {
  turns.note("t", 6, 2, of_turn("t", "second"));
  turns.note("other", 7, 1, of_turn("t", "changed by another turn"));
  turns.note("t", 8, 3, of_turn("earlier", "not its own"));
  wait("late", quiet_stage::ended);
  auto closed = turns.close("t");
  BOOST_REQUIRE(closed.observations.size() == 2u);
  BOOST_TEST(closed.observations[0]->content == "changed by another turn");
  BOOST_TEST(closed.observations[1]->content == "second");
  BOOST_REQUIRE(closed.waiters.size() == 1u);
  BOOST_TEST(closed.waiters.front().holder == "late");
  BOOST_TEST(!turns.is_open("t"));
  BOOST_TEST(turns.close("t").observations.empty());
}

BOOST_FIXTURE_TEST_CASE(only_open_turns_are_known, one_turn) {
  BOOST_CHECK(refused(result(turns.hold("u", "a")), errc::not_found, "turn_id"));
  BOOST_CHECK(refused(result(turns.release("u", "a")), errc::not_found, "turn_id"));
  BOOST_CHECK(
    refused(result(turns.wait("u", {"a", quiet_stage::ended, 0})), errc::not_found, "turn_id"));
}

BOOST_FIXTURE_TEST_CASE(so_many_turns_may_be_open_and_no_more, one_turn) {
  BOOST_CHECK(refused(result(turns.open("")), errc::invalid_request, "turn_id"));
  BOOST_REQUIRE(!turns.open("u"));
  BOOST_CHECK(refused(result(turns.open("v")), errc::overloaded, "turn_id"));
  BOOST_TEST(!turns.open("u")); // already open, which is no error
  BOOST_TEST(turns.size() == 2u);
  turns.close("u");
  BOOST_TEST(!turns.open("v"));
}

BOOST_AUTO_TEST_CASE(who_pays_for_a_turn_is_known_for_a_while_after_it) {
  turn_ledger turns{2};
  BOOST_REQUIRE(!turns.open("t", 7));
  BOOST_REQUIRE(!turns.open("embedded"));
  BOOST_REQUIRE(turns.payer_of("t"));
  BOOST_TEST(turns.payer_of("t")->value() == 7u);
  BOOST_TEST(!turns.payer_of("embedded")->has_value());
  BOOST_TEST(turns.payer_of("other") == nullptr);
  turns.close("t");
  BOOST_TEST(turns.payer_of("t")->value() == 7u);
  for (auto i = 0; i < 1'024; ++i) {
    BOOST_REQUIRE(!turns.open("t" + std::to_string(i)));
    turns.close("t" + std::to_string(i));
  }
  BOOST_TEST(turns.payer_of("t") == nullptr);
}

BOOST_AUTO_TEST_CASE(also_in_a_ledger_that_takes_over) {
  turn_ledger turns{2};
  for (auto i = 0; i < 1'030; ++i) {
    auto id = "turn_20251105_" + std::to_string(i);
    auto paid_by = static_cast<source_shares::share>(i % 3);
    BOOST_REQUIRE(!turns.open(id, i % 2 == 0 ? turn_ledger::payer{paid_by} : std::nullopt));
    turns.close(id);
  }
  turn_ledger next{2};
  next.restore(turns.packed());
  BOOST_TEST(next.packed() == turns.packed());
  BOOST_TEST(next.payer_of("turn_20251105_5") == nullptr);
  BOOST_REQUIRE(next.payer_of("turn_20251105_6") != nullptr);
  BOOST_TEST(next.payer_of("turn_20251105_8")->value() == 2u);
  BOOST_TEST(!next.payer_of("turn_20251105_7")->has_value());
  BOOST_REQUIRE(!next.open("another"));
  next.close("another");
  BOOST_TEST(next.payer_of("turn_20251105_6") == nullptr); // the oldest one
}

BOOST_AUTO_TEST_CASE(what_open_turns_have_added_is_bounded_in_bytes) {
  turn_ledger turns{2, 100'000};
  BOOST_REQUIRE(!turns.open("t"));
  BOOST_REQUIRE(!turns.open("other"));
  for (uint64_t i = 1; i <= 10; ++i)
    turns.note("t", i, i, of_turn("t", std::string(30'000, 'x')));
  turns.note("t", 11, 1, of_turn("t", std::string(30'001, 'y'))); // a later revision of the first
  turns.note("other", 12, 11, of_turn("other", std::string(30'000, 'x')));
  auto full = turns.close("t");
  BOOST_TEST(full.observations.size() == 3u);
  BOOST_TEST(full.left_out == 7u);
  BOOST_TEST(full.observations.front()->content.front() == 'y');
  turns.note("other", 13, 12, of_turn("other", std::string(30'000, 'x'))); // "t" is closed
  auto after = turns.close("other");
  BOOST_TEST(after.observations.size() == 1u);
  BOOST_TEST(after.left_out == 1u);
}

namespace {

using added = turn_ledger::addition;

caller agent(std::string name) {
  auto result = as_daemon(std::move(name));
  result.outside = true;
  return result;
}

caller person(std::string name) {
  auto result = as_user(std::move(name));
  result.outside = true;
  return result;
}

turn_ledger::beginner begun_by(const caller& by) {
  return {by, by.name};
}

/// The contents that the ensemble added, and the contents that others added: "1 2 | 3".
std::string parts(const turn_ledger& turns, const std::string& turn_id) {
  auto all = turns.so_far(turn_id);
  BOOST_REQUIRE(all);
  std::string result;
  for (const auto& x : all->own)
    result += x->content.substr(0, 1) + " ";
  result += "|";
  for (const auto& x : all->others)
    result += " " + x->content.substr(0, 1);
  return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_the_ensemble_added_is_told_apart_from_what_others_added) {
  turn_ledger turns{2};
  BOOST_REQUIRE(!turns.open("t", {}, begun_by(person("ann"))));
  turns.note("t", 1, 1, of_turn("t", "a"));
  turns.note("t", 2, 2, of_turn("t", "b"), added::of_others);
  turns.note("t", 3, 3, of_turn("t", "c"));
  turns.note("", 4, 2, of_turn("t", "d"), added::none);
  turns.note("", 5, 1, of_turn("t", "e"), added::none);
  turns.note("", 6, 9, of_turn("t", "f"), added::none); // the ledger does not know number 9
  BOOST_TEST(parts(turns, "t") == "e c | d");
  BOOST_TEST(turns.close("t").observations.size() == 3u);
  BOOST_TEST(!turns.so_far("t"));
}

BOOST_AUTO_TEST_CASE(what_others_add_takes_no_room_from_what_the_ensemble_adds) {
  turn_ledger turns{2, 200'000};
  BOOST_REQUIRE(!turns.open("t", {}, begun_by(person("ann"))));
  for (uint64_t i = 1; i <= 20; ++i)
    turns.note("t", i, i, of_turn("t", std::string(30'000, 'x')), added::of_others);
  turns.note("", 21, 20, of_turn("t", std::string(30'000, 'y')), added::none); // left out before
  turns.note("t", 22, 21, of_turn("t", std::string(30'000, 'a')));
  turns.note("t", 23, 22, of_turn("t", std::string(30'000, 'b')));
  BOOST_TEST(parts(turns, "t") == "a b | x x x");
  BOOST_TEST(turns.so_far("t")->left_out == 0u);
  auto closed = turns.close("t");
  BOOST_TEST(closed.left_out == 17u);
  BOOST_TEST(closed.own_left_out == 0u);
  BOOST_TEST(turns.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(turns_of_programs_leave_room_for_what_is_added_to_those_of_persons) {
  turn_ledger turns{4, 200'000};
  BOOST_REQUIRE(!turns.open("agents", {}, begun_by(agent("other"))));
  BOOST_REQUIRE(!turns.open("anns", {}, begun_by(person("ann"))));
  for (uint64_t i = 1; i <= 6; ++i)
    turns.note("agents", i, i, of_turn("agents", std::string(30'000, 'x')));
  turns.note("anns", 7, 7, of_turn("anns", std::string(30'000, 'a')));
  BOOST_TEST(parts(turns, "agents") == "x x x x |");
  BOOST_TEST(turns.so_far("agents")->left_out == 2u);
  BOOST_TEST(parts(turns, "anns") == "a |");
  turns.close("agents");
  turns.close("anns");
  BOOST_TEST(turns.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(programs_together_leave_a_quarter_of_the_turns_to_persons) {
  turn_ledger turns{4};
  for (const auto* name : {"first", "second", "third"})
    BOOST_REQUIRE(!turns.open(name, {}, begun_by(agent(name))));
  BOOST_CHECK(refused(
    result(turns.open("fourth", {}, begun_by(agent("fourth")))), errc::overloaded, "turn_id"));
  BOOST_TEST(!turns.open("third", {}, begun_by(agent("third")))); // already open
  BOOST_TEST(!turns.open("anns", {}, begun_by(person("ann"))));
  BOOST_CHECK(
    refused(result(turns.open("bobs", {}, begun_by(person("bob")))), errc::overloaded, "turn_id"));
  turns.close("anns");
  BOOST_TEST(!turns.open("embedded"));
}

BOOST_AUTO_TEST_CASE(whoever_has_not_begun_a_turn_adds_only_so_much_to_it) {
  turn_ledger turns{2};
  BOOST_REQUIRE(!turns.open("t", {}, begun_by(agent("assistant"))));
  for (size_t i = 0; i < turn_limits::additions_of_others; ++i) {
    BOOST_REQUIRE(!turns.check_addition("t", agent("other")));
    turns.count_addition("t", agent("other"));
  }
  for (const auto& who : {agent("other"), agent("another"), person("ann")})
    BOOST_CHECK(refused(result(turns.check_addition("t", who)), errc::overloaded, "turn_id"));
  for (const auto& who : {agent("assistant"), as_daemon("executor", "t"), as_tool("gauge", "t")})
    BOOST_TEST(!turns.check_addition("t", who));
}

BOOST_AUTO_TEST_CASE(what_the_ensemble_added_is_guarded_until_the_turn_ends) {
  turn_ledger turns{2, 40'000};
  BOOST_REQUIRE(!turns.open("t", {}, begun_by(person("ann"))));
  auto large = of_turn("t", std::string(30'000, 'x'));
  turns.note("t", 1, 1, large);
  turns.note("t", 2, 2, large); // left out for lack of room
  turns.note("t", 3, 3, of_turn("t", "x"), added::of_others);
  auto owner = as_admin("root");
  owner.outside = true;
  for (uint64_t number : {1u, 2u}) {
    for (const auto& who : {agent("other"), agent("ann"), person("bob")})
      BOOST_TEST(turns.is_guarded(number, *large, who), who.name);
    for (const auto& who : {person("ann"), owner, as_daemon("planner")})
      BOOST_TEST(!turns.is_guarded(number, *large, who), who.name);
  }
  BOOST_TEST(!turns.is_guarded(3, *large, agent("other")));
  turns.close("t");
  BOOST_TEST(!turns.is_guarded(1, *large, agent("other")));
}

} // namespace scratchpage::test
