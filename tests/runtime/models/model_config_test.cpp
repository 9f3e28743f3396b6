#include "scratchpage/runtime/models/model_config.hpp"

#include <fstream>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// The section `models` of the configuration, and the key.

namespace scratchpage::test {

using namespace models;

namespace {

std::optional<std::string> no_variable(const std::string&) {
  return std::nullopt;
}

} // namespace

BOOST_AUTO_TEST_SUITE(the_configuration_of_models)

BOOST_AUTO_TEST_CASE(leaves_all_decisions_to_the_rules_by_default) {
  model_config x;
  BOOST_TEST(!x.is_used());
  BOOST_TEST(!validate(x, "models"));
  x.daemons.router = decided_by::model_then_rules;
  BOOST_TEST(x.is_used());
}

BOOST_AUTO_TEST_CASE(is_checked_by_path) {
  model_config x;
  x.address = "ftp://x";
  BOOST_TEST(field_of(validate(x, "models")) == "models.address");
  x.address = "http://127.0.0.1:1/v1";
  BOOST_TEST(field_of(validate(x, "models")) == "models.model");
  x.model = "small";
  BOOST_TEST(!validate(x, "models"));
  x.sure_from = 1.5;
  BOOST_TEST(field_of(validate(x, "models")) == "models.sure_from");
  x.sure_from = 0.5;
  x.key_file = "file";
  x.key_env = "VARIABLE";
  BOOST_TEST(field_of(validate(x, "models")) == "models.key_env");
}

BOOST_AUTO_TEST_CASE(has_its_key_in_a_file_or_in_the_environment) {
  model_config x;
  BOOST_TEST(*read_key(x, no_variable) == "");
  x.key_env = "KEY";
  BOOST_TEST(
    *read_key(x, [](const std::string& name) { return std::optional{name + "-1"}; }) == "KEY-1");
  temp_dir dir;
  x.key_file = (dir.path() / "key").string();
  std::ofstream{x.key_file} << "secret-2\n";
  BOOST_TEST(*read_key(x, no_variable) == "secret-2");
}

BOOST_AUTO_TEST_CASE(refuses_a_key_that_is_missing_or_cannot_be_sent_without_repeating_it) {
  model_config x;
  x.key_env = "KEY";
  auto none = read_key(x, no_variable);
  BOOST_REQUIRE(!none);
  BOOST_TEST(field_of(none.error()) == "models.key_env");
  auto split = read_key(x, [](const std::string&) { return std::optional<std::string>{"a\r\nb"}; });
  BOOST_REQUIRE(!split);
  BOOST_TEST(describe(split.error()).find("a\r\nb") == std::string::npos);
  x.key_file = "there/is/no/such/file";
  auto gone = read_key(x, no_variable);
  BOOST_REQUIRE(!gone);
  BOOST_TEST(field_of(gone.error()) == "models.key_file");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
