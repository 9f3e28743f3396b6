#include <boost/test/unit_test.hpp>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "scratchpage/messages/error.hpp"
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
    first = require_value(team.begin_turn({.input = "Hello there"})).turn_id;
  }
  auto team = open();
  BOOST_TEST(require_value(team.begin_turn({.input = "Hello again"})).turn_id != first);
}

BOOST_FIXTURE_TEST_CASE(a_directory_that_is_in_use_is_refused, kept_team) {
  auto team = open();
  auto second = ensemble::open(system, directory);
  BOOST_REQUIRE(!second);
  BOOST_TEST(to_string(code_of(second.error())) == "storage_unavailable");
}

BOOST_FIXTURE_TEST_CASE(a_directory_is_refused_with_the_name_of_a_wrong_daemon, kept_team) {
  ensemble_setup setup;
  setup.without = {"rooter"};
  auto team = ensemble::open(system, directory, std::move(setup));
  BOOST_REQUIRE(!team);
  BOOST_TEST(to_string(code_of(team.error())) == "invalid_request");
  BOOST_TEST(!std::filesystem::exists(directory));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
