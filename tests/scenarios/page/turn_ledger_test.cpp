#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/turn_ledger.hpp"
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

/// Who is let on, given how far everybody has acknowledged: "evaluator turns".
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
  BOOST_TEST(ready(turns, 5) == ""); // whoever works outside holds it now
  BOOST_REQUIRE(!turns.release("t", "outside"));
  BOOST_TEST(ready(turns, 5) == "evaluator");
  BOOST_TEST(ready(turns, 5) == ""); // the evaluator holds it now
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
  BOOST_TEST(!turns.open("u")); // open already
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

BOOST_AUTO_TEST_CASE(what_open_turns_have_added_is_bounded_in_bytes) {
  turn_ledger turns{2, 100'000};
  BOOST_REQUIRE(!turns.open("t"));
  BOOST_REQUIRE(!turns.open("other"));
  for (uint64_t i = 1; i <= 10; ++i)
    turns.note("t", i, i, of_turn("t", std::string(30'000, 'x')));
  turns.note("t", 11, 1, of_turn("t", std::string(30'001, 'y'))); // a later form of the first
  turns.note("other", 12, 11, of_turn("other", std::string(30'000, 'x')));
  auto full = turns.close("t");
  BOOST_TEST(full.observations.size() == 3u);
  BOOST_TEST(full.left_out == 7u);
  BOOST_TEST(full.observations.front()->content.front() == 'y');
  turns.note("other", 13, 12, of_turn("other", std::string(30'000, 'x'))); // there is room again
  auto after = turns.close("other");
  BOOST_TEST(after.observations.size() == 1u);
  BOOST_TEST(after.left_out == 1u);
}

} // namespace scratchpage::test
