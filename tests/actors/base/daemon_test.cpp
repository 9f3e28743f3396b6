#define BOOST_TEST_MODULE own_code
#include <boost/test/unit_test.hpp>

#include <set>
#include <stdexcept>
#include <string>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/team.hpp"

/// Daemons of the embedding program: what they throw, and their numbers in the trace.

namespace scratchpage::test {

namespace {

/// Adds a suggestion for each note, and throws at the place that the note names.
class clumsy_daemon : public daemon {
public:
  static constexpr const char* name = "clumsy";

  clumsy_daemon(handle::pointer self, const daemon_setup& setup)
    : daemon{self, setup, name} {}

private:
  std::vector<observation_filter> interests() const override { return {{.tags = {"clumsy"}}}; }

  void react(const page_event& event, const ack_guard& done) override {
    if (event.kind != event_kind::added)
      return;
    auto by = as_me(event);
    auto where = event.observation->content;
    fail_at(where, "react");
    if (where == "something else")
      throw 42;
    query<query_result>(
      page(), get_active_observations{by}, done, [this, by, where, done](query_result&) {
        fail_at(where, "query");
        publish(by, draft("action_suggestion", "After " + where), done,
          [where](const receipt&) { fail_at(where, "publish"); });
      });
    hold_turn_and(by, done, [where](const ack_guard&) { fail_at(where, "hold"); });
    command(clear_resolved{by, {}}, done, [where] { fail_at(where, "command"); });
    update(change_of(event, by), done, [where](bool) { fail_at(where, "update"); });
    read_archive(
      list_archive{by, {}, 10, {}}, done, [where](const auto&) { fail_at(where, "archive"); });
  }

  static void fail_at(const std::string& where, const std::string& here) {
    if (where == here)
      throw std::runtime_error{"I stumbled in " + here};
  }

  static update_observation change_of(const page_event& event, const caller& by) {
    return {.by = by, .observation_id = event.observation->observation_id, .changes = {}};
  }
};

struct clumsy_team : team {
  clumsy_team() {
    start();
    host->add_daemon<clumsy_daemon>();
    settle();
  }

  /// Adds a note and returns what the daemon suggests.
  std::string suggested_for(const std::string& where) {
    add(as_daemon("probe"), draft("observation", where, 0.5, {"clumsy"}));
    settle();
    auto all = of_type("action_suggestion");
    return all.empty() ? "" : all.front()->content;
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(own_daemons)

BOOST_FIXTURE_TEST_CASE(a_daemon_whose_reaction_throws_goes_on_with_the_next_event, clumsy_team) {
  BOOST_TEST(suggested_for("react") == "");
  BOOST_TEST(traced("react", "internal") == 1u);
  BOOST_TEST(suggested_for("something else") == "");
  BOOST_TEST(traced("react", "internal") == 2u);
  BOOST_TEST(suggested_for("nothing") == "After nothing");
  BOOST_TEST(traced("react") == 2u);
}

BOOST_AUTO_TEST_CASE(a_daemon_whose_callback_throws_goes_on_with_the_next_event) {
  for (const auto* where : {"query", "publish", "command", "update", "archive"}) {
    clumsy_team x;
    x.suggested_for(where);
    BOOST_TEST(x.traced("react", "internal") == 1u, where);
    BOOST_TEST(x.suggested_for("nothing") == "After nothing", where);
  }
}

BOOST_FIXTURE_TEST_CASE(a_turn_does_not_wait_for_a_daemon_that_throws, clumsy_team) {
  for (const auto* where : {"react", "query", "hold"}) {
    auto turn = send(host->turns(), begin_turn{.input = "Hello", .hold = true});
    settle();
    BOOST_REQUIRE(turn->arrived());
    auto turn_id = value(std::move(*turn->value)).turn_id;
    auto begun = now();
    add(as_daemon("probe", turn_id), draft("observation", where, 0.5, {"clumsy"}));
    value(ask(host->turns(), end_turn{.turn_id = turn_id}));
    BOOST_TEST((now() == begun), where);
  }
  BOOST_TEST(traced("react", "internal") == 3u);
}

BOOST_FIXTURE_TEST_CASE(a_daemons_trace_entries_begin_with_the_number_of_its_setup, team) {
  start();
  auto setup = host->for_daemons();
  for (auto number : {100u, 101u}) {
    setup.number = number;
    make<clumsy_daemon>(setup);
  }
  settle();
  add(as_daemon("probe"), draft("observation", "react", 0.5, {"clumsy"}));
  settle();
  std::set<uint64_t> numbers;
  for (const auto& x : trace->entries())
    if (x.operation == "react")
      numbers.insert(x.id >> 32);
  BOOST_TEST(numbers == (std::set<uint64_t>{100, 101}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
