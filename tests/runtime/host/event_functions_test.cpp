#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <tuple>

#include <boost/test/unit_test.hpp>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "scratchpage/tests/support/require_value.hpp"
#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

observation_draft smoke() {
  return draft("risk_alert", "Smoke in the cellar", 0.9, {"fire"});
}

} // namespace

BOOST_AUTO_TEST_SUITE(event_functions)

namespace {

/// Texts that callbacks received; they outlive the actors.
struct heard_texts {
  std::string heard;
};

struct heard_parts : heard_texts, team {
  auto note() {
    return [this](const page_event& x) {
      heard.append(name_of(x.kind)).append(": ");
      heard.append(x.observation ? x.observation->content : "nothing").append("; ");
    };
  }

  event_subscription listen() {
    return value(host->on_event({.type = {"risk_alert", "reminder"}}, note()));
  }
};

struct heard_team : heard_parts {
  heard_team() { start(); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_function_hears_of_what_its_filter_selects, heard_team) {
  auto alerts = listen();
  value(host->add(smoke()));
  value(host->add(draft("observation", "The sun shines")));
  settle();
  BOOST_TEST(heard == "added: Smoke in the cellar; linked: Smoke in the cellar; ");
}

BOOST_FIXTURE_TEST_CASE(a_function_hears_of_changes_and_of_the_end, heard_team) {
  auto alerts = listen();
  auto id = value(host->add(smoke())).observation->observation_id;
  BOOST_REQUIRE(host->update({.observation_id = id, .changes = {.confidence = 0.2}}));
  BOOST_REQUIRE(ask(host->page(), archive_observation{as_daemon("program"), id}));
  settle();
  BOOST_TEST(heard
             == "added: Smoke in the cellar; linked: Smoke in the cellar; "
                "updated: Smoke in the cellar; archived: Smoke in the cellar; ");
}

BOOST_FIXTURE_TEST_CASE(a_slow_function_hears_each_event_once, heard_team) {
  auto is_slow = true;
  auto alerts = value(host->on_event({.type = {"risk_alert"}}, [&](const page_event& x) {
    note()(x);
    if (std::exchange(is_slow, false))
      advance(2min); // the page delivers the batch again
  }));
  value(host->add(smoke()));
  value(host->add(draft("risk_alert", "Fire")));
  settle();
  BOOST_TEST(heard == "added: Smoke in the cellar; linked: Smoke in the cellar; added: Fire; ");
}

BOOST_FIXTURE_TEST_CASE(a_function_that_falls_behind_hears_what_there_is_now, heard_parts) {
  setup.config.page.log_capacity = 3;
  start();
  auto is_slow = true;
  auto alerts = value(host->on_event({.type = {"risk_alert"}}, [&](const page_event& x) {
    note()(x);
    if (std::exchange(is_slow, false))
      for (auto i = 1; i <= 5; ++i)
        add(as_daemon("program"), draft("risk_alert", "Fire " + std::to_string(i)));
  }));
  value(host->add(smoke()));
  settle();
  value(host->add(draft("risk_alert", "Flood")));
  settle();
  BOOST_TEST(heard
             == "added: Smoke in the cellar; lagged: nothing; current: Smoke in the cellar; "
                "current: Fire 1; current: Fire 2; current: Fire 3; current: Fire 4; "
                "current: Fire 5; added: Flood; ");
}

BOOST_FIXTURE_TEST_CASE(a_function_that_throws_is_not_called_again, heard_team) {
  auto alerts = value(host->on_event({.type = {"risk_alert"}}, [&](const page_event& x) {
    note()(x);
    throw std::runtime_error{"no display"};
  }));
  value(host->add(smoke()));
  settle();
  value(host->add(smoke()));
  settle();
  BOOST_TEST(heard == "added: Smoke in the cellar; ");
  BOOST_TEST(value(ask(host->page(), caf::get_atom_v)).subscribers == host->subscribers());
  auto why = alerts.end();
  BOOST_TEST(to_string(code_of(why)) == "internal");
  BOOST_TEST(describe(why).find("no display") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(nothing_is_no_function, heard_team) {
  auto nothing = host->on_event({}, {});
  BOOST_REQUIRE(!nothing);
  BOOST_TEST(field_of(nothing.error()) == "tell");
}

BOOST_FIXTURE_TEST_CASE(a_function_hears_nothing_after_its_subscription_has_ended, heard_team) {
  auto alerts = listen();
  BOOST_TEST(!alerts.end());
  value(host->add(smoke()));
  settle();
  BOOST_TEST(heard.empty());
  BOOST_TEST(value(ask(host->page(), caf::get_atom_v)).subscribers == host->subscribers());
}

BOOST_FIXTURE_TEST_CASE(a_subscription_ends_with_its_object, heard_team) {
  { auto alerts = listen(); }
  value(host->add(smoke()));
  settle();
  BOOST_TEST(heard.empty());
}

BOOST_FIXTURE_TEST_CASE(a_function_may_end_its_own_subscription, heard_team) {
  event_subscription alerts;
  auto once = [&](const page_event& x) {
    note()(x);
    std::ignore = alerts.end();
  };
  alerts = value(host->on_event({.type = {"risk_alert"}}, once));
  value(host->add(smoke()));
  value(host->add(smoke()));
  settle();
  BOOST_TEST(heard == "added: Smoke in the cellar; ");
}

BOOST_FIXTURE_TEST_CASE(a_turn_does_not_wait_for_a_function, heard_team) {
  auto everything = value(host->on_event({}, [](const page_event&) {}));
  BOOST_TEST(to_string(say("Hello there").status) == "complete");
  BOOST_TEST(value(ask(host->page(), caf::get_atom_v)).in_turns == host->subscribers());
}

BOOST_FIXTURE_TEST_CASE(a_subscription_may_outlive_its_team, heard_team) {
  auto alerts = listen();
  host.reset();
  settle();
  BOOST_TEST(!alerts.end());
  BOOST_TEST(heard.empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(threads_of_event_functions)

namespace {

/// A system whose actors share one thread.
struct one_thread {
  one_thread() { cfg.set("caf.scheduler.max-threads", 1); }

  caf::actor_system_config cfg;
};

struct real_team : one_thread {
  caf::actor_system system{cfg};
  ensemble team{system};
};

constexpr auto long_enough = 30s;

} // namespace

BOOST_FIXTURE_TEST_CASE(a_function_may_wait_for_a_call_of_its_ensemble, real_team) {
  std::promise<bool> answered;
  auto alerts = require_value(team.on_event({.type = {"risk_alert"}},
    [&](const page_event&) { answered.set_value(!!team.add(draft("observation", "It burns"))); }));
  require_value(team.add(smoke()));
  auto answer = answered.get_future();
  BOOST_REQUIRE((answer.wait_for(long_enough) == std::future_status::ready));
  BOOST_TEST(answer.get());
}

BOOST_FIXTURE_TEST_CASE(
  the_end_of_a_subscription_waits_for_its_function_and_not_forever, real_team) {
  std::promise<void> entered;
  std::promise<void> may_return;
  auto alerts = require_value(team.on_event({.type = {"risk_alert"}}, [&](const page_event&) {
    entered.set_value();
    may_return.get_future().wait_for(long_enough);
  }));
  require_value(team.add(smoke()));
  BOOST_REQUIRE((entered.get_future().wait_for(long_enough) == std::future_status::ready));
  BOOST_TEST(to_string(code_of(alerts.end(1ms))) == "deadline_exceeded");
  may_return.set_value();
  BOOST_TEST(!alerts.end());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
