#include <stdexcept>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

observation_draft smoke_alert() {
  return draft("risk_alert", "Smoke in the cellar", 0.9, {"fire"});
}

/// A daemon that adds a suggestion for each alert.
class fire_watch : public daemon {
public:
  static constexpr const char* name = "fire_watch";

  fire_watch(handle::pointer self, const daemon_setup& setup)
    : daemon{self, setup, name} {}

private:
  std::vector<observation_filter> interests() const override { return {{.tags = {"fire"}}}; }

  void react(const page_event& event, const ack_guard& done) override {
    if (event.kind == event_kind::added)
      publish(as_me(event), draft("action_suggestion", "Leave the house"), done);
  }
};

struct started_team : team {
  started_team() { start(); }
};

} // namespace

BOOST_AUTO_TEST_SUITE(plain_calls)

BOOST_FIXTURE_TEST_CASE(what_is_added_is_the_programs_own_and_found_again, started_team) {
  auto stored = value(host->add(smoke_alert()));
  BOOST_TEST(stored.observation->source.name == "program");
  auto found = value(host->query({.text = "cellar"}));
  BOOST_REQUIRE(found.observations.size() == 1u);
  BOOST_TEST(found.observations[0]->observation_id == stored.observation->observation_id);
  BOOST_TEST(
    value(host->get(stored.observation->observation_id))->content == smoke_alert().content);
}

BOOST_FIXTURE_TEST_CASE(something_is_added_for_a_user, started_team) {
  auto stored = value(host->add(as_user("ann"), smoke_alert()));
  BOOST_TEST(stored.observation->source.name == "ann");
}

BOOST_FIXTURE_TEST_CASE(a_caller_without_a_name_is_refused, started_team) {
  auto is_refused = [](const auto& x) {
    return !x && code_of(x.error()) == errc::invalid_request && field_of(x.error()) == "by";
  };
  BOOST_TEST(is_refused(host->add(as_user(""), smoke_alert())));
  BOOST_TEST(is_refused(host->query({.by = as_user(""), .text = "cellar"})));
  BOOST_TEST(is_refused(host->update({.by = as_user(""), .observation_id = "any"})));
}

BOOST_FIXTURE_TEST_CASE(an_observation_is_changed, started_team) {
  auto id = value(host->add(smoke_alert())).observation->observation_id;
  update_observation change{.observation_id = id, .changes = {.confidence = 0.2}};
  auto changed = value(host->update(std::move(change)));
  BOOST_TEST(changed.observation->confidence == 0.2);
}

BOOST_FIXTURE_TEST_CASE(a_draft_that_breaks_a_rule_is_refused_with_its_error, started_team) {
  auto stored = host->add(draft("risk_alert", ""));
  BOOST_REQUIRE(!stored);
  BOOST_TEST(to_string(code_of(stored.error())) == "invalid_observation");
}

BOOST_FIXTURE_TEST_CASE(a_turn_is_run_from_input_to_result, started_team) {
  auto result = value(host->run_turn({.input = "Hello there"}));
  BOOST_TEST(to_string(result.status) == "complete");
}

BOOST_FIXTURE_TEST_CASE(a_held_turn_stays_open_until_it_is_ended, started_team) {
  auto held = value(host->begin_held_turn({.input = "Hello there"}));
  BOOST_TEST(to_string(held.status) == "held");
  auto ended = value(host->end_turn(held.turn_id));
  BOOST_TEST(to_string(ended.status) == "complete");
  BOOST_TEST(value(host->await_turn(held.turn_id)).turn_id == held.turn_id);
}

BOOST_FIXTURE_TEST_CASE(a_call_takes_no_longer_than_it_may, started_team) {
  auto held = value(host->begin_held_turn({.input = "Hello there"}));
  auto begun = now();
  auto result = host->await_turn(held.turn_id, 3s);
  BOOST_REQUIRE(!result);
  BOOST_TEST(to_string(code_of(result.error())) == "deadline_exceeded");
  BOOST_TEST((now() - begun == 3s));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(readiness)

BOOST_FIXTURE_TEST_CASE(a_team_is_ready_when_its_own_daemons_have_subscribed, started_team) {
  host->add_daemon<fire_watch>();
  BOOST_TEST(!host->ready());
  value(host->add(smoke_alert()));
  settle();
  BOOST_TEST(of_type("action_suggestion").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(whoever_does_not_wait_is_told_once_when_a_team_is_ready, started_team) {
  auto told = 0;
  host->on_ready([&](const caf::error& err) { told += err ? 100 : 1; });
  advance(1s);
  BOOST_TEST(told == 1);
}

BOOST_FIXTURE_TEST_CASE(a_team_that_lacks_a_daemon_elsewhere_is_not_ready_in_time, team) {
  setup.elsewhere = {"executor"};
  start();
  auto begun = now();
  auto err = host->ready(5s);
  BOOST_TEST(to_string(code_of(err)) == "deadline_exceeded");
  BOOST_TEST(describe(err).find("'executor'") != std::string::npos);
  BOOST_TEST(describe(err).find("router") == std::string::npos);
  BOOST_TEST((now() - begun == 5s));
}

BOOST_FIXTURE_TEST_CASE(another_subscriber_does_not_stand_for_a_daemon_that_is_missing, team) {
  setup.elsewhere = {"executor"};
  start();
  own(spawn<fire_watch>(sys, host->for_daemons()));
  BOOST_TEST(to_string(code_of(host->ready(5s))) == "deadline_exceeded");
}

BOOST_FIXTURE_TEST_CASE(a_wait_without_end_ends_when_the_team_is_ready, started_team) {
  BOOST_TEST(!host->ready(caf::infinite));
  BOOST_TEST(!!host->get("unknown", caf::infinite));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(left_out_daemons)

BOOST_FIXTURE_TEST_CASE(a_turn_does_without_daemons_that_are_left_out, team) {
  setup.without = {"clarifier", "reflector", "system_analyzer"};
  start();
  BOOST_TEST(host->subscribers() == 6u);
  BOOST_TEST(!host->ready());
  auto result = say("What is the weather in Paris?");
  BOOST_TEST(to_string(result.status) == "more_work"); // nobody has answered it
  BOOST_TEST(traced("clarify") == 0u);
  BOOST_TEST(traced("reflect") == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_daemon_that_does_not_exist_cannot_be_left_out, team) {
  setup.without = {"rooter"};
  BOOST_CHECK_EXCEPTION(start(), std::invalid_argument, [](const std::invalid_argument& x) {
    return std::string_view{x.what()}.find("rooter") != std::string_view::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
