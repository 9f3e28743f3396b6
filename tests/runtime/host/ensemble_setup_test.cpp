#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <boost/test/unit_test.hpp>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/config/settings.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/testing/virtual_time.hpp"
#include "scratchpage/tests/support/require_value.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

namespace {

/// A setup that is refused, and the member that the error names.
struct wrong_setup {
  std::string_view field;
  std::function<void(ensemble_setup&)> make;
};

tool_definition named(std::string id) {
  return {{.tool_id = std::move(id)}, recorded_tool{}};
}

const std::vector<wrong_setup> wrong_setups{
  {"agent_id", [](auto& x) { x.agent_id = ""; }},
  {"agent_id", [](auto& x) { x.agent_id = std::string(1025, 'a'); }},
  {"agent_id", [](auto& x) { x.agent_id = std::string("a\0b", 3); }},
  {"tool_id", [](auto& x) { x.tools = {named("")}; }},
  {"tool_id",
    [](auto& x) {
      x.tools = {named("weather"), named("weather")};
    }},
  {"tool_id",
    [](auto& x) {
      x.settings = require_value(read_config(R"({"profile": {"name": "on_device"}})"));
      x.tools = {named("read_back")}; // the profile adds one
    }},
  {"timeout_ms",
    [](auto& x) {
      x.tools = {named("weather")};
      x.tools[0].manifest.timeout_ms = 0;
    }},
  {"without", [](auto& x) { x.without = {"rooter"}; }},
  {"elsewhere", [](auto& x) { x.elsewhere = {"rooter"}; }},
  {"elsewhere",
    [](auto& x) {
      x.without = {"executor"};
      x.elsewhere = {"executor"};
    }},
  {"policies.within", [](auto& x) { x.policies.within = timespan{}; }},
};

struct stored_system : temp_dir {
  caf::actor_system_config cfg;
  caf::actor_system system{cfg};
  std::string directory = (path() / "agent").string();

  void check_refused(std::string_view field, ensemble_setup setup) {
    auto opened = ensemble::open(system, directory, std::move(setup));
    BOOST_REQUIRE(!opened);
    BOOST_TEST(to_string(code_of(opened.error())) == "invalid_request");
    BOOST_TEST(field_of(opened.error()) == field);
    BOOST_TEST(!std::filesystem::exists(directory));
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(wrong_setups_of_ensembles)

BOOST_FIXTURE_TEST_CASE(an_agent_is_not_opened_with_a_setup_that_cannot_work, stored_system) {
  for (const auto& [field, make] : wrong_setups) {
    ensemble_setup setup;
    make(setup);
    check_refused(field, std::move(setup));
  }
}

BOOST_FIXTURE_TEST_CASE(an_ensemble_is_not_made_with_a_setup_that_cannot_work, stored_system) {
  for (const auto& [field, make] : wrong_setups) {
    ensemble_setup setup;
    make(setup);
    auto is_named = [name = field](const std::exception& x) {
      return std::string_view{x.what()}.find(name) != std::string_view::npos;
    };
    BOOST_CHECK_EXCEPTION((ensemble{system, setup}), std::invalid_argument, is_named);
  }
}

BOOST_FIXTURE_TEST_CASE(a_stored_agent_is_not_opened_on_virtual_time, stored_system) {
  testing::virtual_time time;
  check_refused("driver", {.driver = &time.driver});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
