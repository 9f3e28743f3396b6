#include <stdexcept>

#include <boost/test/unit_test.hpp>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/config/settings.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/tests/support/require_value.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

namespace {

/// An actor system with real threads, and a temporary directory.
struct kept_team : temp_dir {
  caf::actor_system_config cfg;
  caf::actor_system system{cfg};
  std::string directory = (path() / "agent").string();

  ensemble open(ensemble_setup setup = {}) {
    return require_value(ensemble::open(system, directory, std::move(setup)));
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(kept_ensembles)

BOOST_FIXTURE_TEST_CASE(what_was_added_is_there_when_the_agent_is_opened_again, kept_team) {
  std::string id;
  {
    auto team = open();
    observation_draft draft;
    draft.type = "observation";
    draft.content = "The oven is on";
    id = require_value(team.add(std::move(draft))).observation->observation_id;
  }
  auto team = open();
  BOOST_TEST(team.damage() == "");
  BOOST_TEST(require_value(team.get(id))->content == "The oven is on");
}

BOOST_FIXTURE_TEST_CASE(turns_go_on_counting_when_the_agent_is_opened_again, kept_team) {
  std::string first;
  {
    auto team = open();
    BOOST_TEST(!team.ready());
    first = require_value(team.run_turn({.input = "Hello there"})).turn_id;
  }
  auto team = open();
  BOOST_TEST(require_value(team.run_turn({.input = "Hello again"})).turn_id != first);
}

BOOST_FIXTURE_TEST_CASE(a_directory_that_is_in_use_is_refused, kept_team) {
  auto team = open();
  auto second = ensemble::open(system, directory);
  BOOST_REQUIRE(!second);
  BOOST_TEST(to_string(code_of(second.error())) == "storage_unavailable");
}

BOOST_FIXTURE_TEST_CASE(an_agent_is_opened_with_the_settings_of_the_setup, kept_team) {
  auto few = require_value(read_config(R"({"page": {"max_observations": 2}})"));
  auto team = open({.settings = few});
  for (auto content : {"One", "Two", "Three"})
    require_value(team.add({.type = "observation", .content = content}));
  BOOST_TEST(require_value(team.query({})).observations.size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(
  a_factory_that_throws_is_an_error_and_leaves_the_directory_free, kept_team) {
  ensemble_setup setup;
  setup.policies.router = [](const auto&) -> std::shared_ptr<router_policy> {
    throw std::runtime_error{"no model"};
  };
  auto failed = ensemble::open(system, directory, std::move(setup));
  BOOST_REQUIRE(!failed);
  BOOST_TEST(to_string(code_of(failed.error())) == "internal");
  BOOST_TEST(field_of(failed.error()) == "policies");
  BOOST_TEST(describe(failed.error()).find("no model") != std::string::npos);
  open();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(places_of_agents)

BOOST_FIXTURE_TEST_CASE(
  a_connection_string_of_another_kind_is_refused_without_its_secret, kept_team) {
  for (std::string where : {"mysql://user:secret@host/db", "password=secret host=there",
         "Postgres://user:secret@host/db", "dbname=secret"}) {
    auto team = ensemble::open(system, where);
    BOOST_REQUIRE(!team);
    BOOST_TEST(to_string(code_of(team.error())) == "invalid_request");
    BOOST_TEST(field_of(team.error()) == "where");
    BOOST_TEST(describe(team.error()).find("secret") == std::string::npos);
    BOOST_TEST(!std::filesystem::exists(where));
  }
}

BOOST_FIXTURE_TEST_CASE(both_names_of_postgresql_are_taken_for_a_server, kept_team) {
  for (std::string where :
    {"postgres://user:secret@127.0.0.1:1/db", "postgresql://user:secret@127.0.0.1:1/db"}) {
    auto team = ensemble::open(system, where);
    BOOST_REQUIRE(!team);
    BOOST_TEST(to_string(code_of(team.error())) == "storage_unavailable");
    BOOST_TEST(describe(team.error()).find("secret") == std::string::npos);
    BOOST_TEST(!std::filesystem::exists("postgres:"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
