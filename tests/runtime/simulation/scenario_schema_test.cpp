#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"
#include "scratchpage/runtime/simulation/scenario.hpp"
#include "scratchpage/tests/support/require_value.hpp"
#include "scratchpage/tests/support/source_dir.hpp"

/// The published schema, the structs that read scenarios, and the samples must
/// agree.

namespace scratchpage {

namespace {

namespace fs = std::filesystem;

const json::object& schema() {
  static const auto result = *read_config_file(test::source_file("docs/scenario.schema.json"));
  return result;
}

const json::object& definition(std::string_view name) {
  const auto& all = schema().at("$defs").get_object();
  BOOST_REQUIRE_MESSAGE(all.contains(name), name);
  return all.at(name).get_object();
}

std::set<std::string> names_of(const json::object& in) {
  std::set<std::string> result;
  for (const auto& [key, value] : in)
    result.emplace(key);
  return result;
}

/// Tests that the struct and the schema have the same members.
template <class T>
void check_same_fields(std::string_view name, const json::object& in) {
  std::set<std::string> all, required;
  auto note = [&](const auto& m) {
    all.emplace(m.name);
    if (m.need == presence::required)
      required.emplace(m.name);
  };
  T::fields([&](const auto&... m) { (note(m), ...); });
  BOOST_TEST_CONTEXT(name) {
    BOOST_TEST(names_of(in.at("properties").get_object()) == all, boost::test_tools::per_element());
    std::set<std::string> demanded;
    if (const auto* list = in.if_contains("required"))
      for (const auto& x : list->get_array())
        demanded.emplace(x.get_string());
    BOOST_TEST(demanded == required, boost::test_tools::per_element());
    BOOST_TEST(!in.at("additionalProperties").get_bool());
  }
}

template <class T>
void check_definition(std::string_view name) {
  check_same_fields<T>(name, definition(name));
}

/// The names of all values of an enum, or of the first `count`.
template <class E>
void check_names(const json::value& in, size_t count = enum_names<E>.size()) {
  std::vector<std::string> said;
  for (const auto& x : in.get_object().at("enum").get_array())
    said.emplace_back(x.get_string());
  std::vector<std::string> is(enum_names<E>.begin(), enum_names<E>.begin() + count);
  BOOST_TEST(said == is, boost::test_tools::per_element());
}

const json::value& property(std::string_view definition_name, std::string_view name) {
  return definition(definition_name).at("properties").get_object().at(name);
}

/// The path at which `value` has something that `rule` does not allow; "" if there is none. Checks
/// members, elements, references, alternatives, enums and types.
std::string unknown_part(const json::value& value, const json::object& rule, const std::string& at);

std::string unknown_member(
  const json::object& value, const json::object& rule, const std::string& at) {
  const auto* properties = rule.if_contains("properties");
  if (properties == nullptr)
    return {};
  for (const auto& [key, member] : value) {
    const auto* known = properties->get_object().if_contains(key);
    auto path = at + "." + std::string{key};
    if (known == nullptr)
      return path;
    if (auto part = unknown_part(member, known->get_object(), path); !part.empty())
      return part;
  }
  return {};
}

bool has_type(const json::value& value, const std::string& type) {
  return (type == "object" && value.is_object()) || (type == "array" && value.is_array())
         || (type == "string" && value.is_string()) || (type == "boolean" && value.is_bool())
         || (type == "number" && value.is_number())
         || (type == "integer" && (value.is_int64() || value.is_uint64()));
}

std::string unknown_part(
  const json::value& value, const json::object& rule, const std::string& at) {
  if (const auto* ref = rule.if_contains("$ref")) {
    std::string name{ref->get_string()};
    return unknown_part(value, definition(name.substr(name.rfind('/') + 1)), at);
  }
  if (const auto* options = rule.if_contains("anyOf")) {
    const auto& list = options->get_array();
    auto fits = [&](
                  const json::value& x) { return unknown_part(value, x.get_object(), at).empty(); };
    return std::any_of(list.begin(), list.end(), fits) ? "" : at;
  }
  if (const auto* type = rule.if_contains("type"))
    if (!has_type(value, std::string{type->get_string()}))
      return at;
  if (const auto* names = rule.if_contains("enum")) {
    const auto& list = names->get_array();
    return std::find(list.begin(), list.end(), value) == list.end() ? at : "";
  }
  if (value.is_object())
    return unknown_member(value.get_object(), rule, at);
  if (const auto* items = rule.if_contains("items"); items != nullptr && value.is_array())
    for (size_t i = 0; i < value.get_array().size(); ++i) {
      auto path = at + "[" + std::to_string(i) + "]";
      auto part = unknown_part(value.get_array()[i], items->get_object(), path);
      if (!part.empty())
        return part;
    }
  return {};
}

std::vector<fs::path> samples() {
  std::vector<fs::path> result;
  for (const auto& entry : fs::directory_iterator{test::source_file("samples/scenarios")})
    if (entry.path().extension() == ".json")
      result.push_back(entry.path());
  std::sort(result.begin(), result.end());
  return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_schema_names_the_fields_that_are_read) {
  check_same_fields<scenario_file>("scenario", schema());
  check_definition<scenario_step>("step");
  check_definition<scenario_turn>("turn");
  check_definition<scenario_tool>("tool");
  check_definition<recorded_response>("response");
  check_definition<recorded_fault>("fault");
  check_definition<latency_range>("latency");
  check_definition<planned_call>("call");
  check_definition<scratch_page_query>("page_query");
  check_definition<observation_filter>("filter");
  check_definition<observation_draft>("draft");
  check_definition<expectation>("expectation");
  check_definition<turn_expectation>("turn_expectation");
  check_definition<observation_expectation>("observation_expectation");
  check_definition<goal_expectation>("goal_expectation");
  check_definition<fact_expectation>("fact_expectation");
  check_definition<trace_expectation>("trace_expectation");
  check_definition<figure_expectation>("figure_expectation");
}

BOOST_AUTO_TEST_CASE(the_schema_names_the_values_that_are_read) {
  check_names<turn_mode>(property("turn", "mode"));
  constexpr auto of_answers = static_cast<size_t>(turn_status::held); // the statuses before it
  check_names<turn_status>(property("turn_expectation", "status"), of_answers);
  check_names<urgency>(property("turn_expectation", "urgency"));
  check_names<goal_status>(property("goal_expectation", "status"));
  check_names<priority>(property("goal_expectation", "priority"));
  check_names<tool_status>(property("response", "status"));
  check_names<fault_kind>(property("fault", "fault"));
  check_names<after_last>(property("tool", "after_last"));
  const auto& statuses = property("filter", "status").get_object().at("anyOf").get_array();
  check_names<status>(statuses.at(0));
}

BOOST_AUTO_TEST_CASE(the_schema_names_every_figure_of_the_summary) {
  const auto& said = property("expectation", "summary").get_object().at("properties").get_object();
  std::set<std::string> figures;
  run_summary::fields([&](const auto&... m) { (figures.emplace(m.name), ...); });
  BOOST_TEST(names_of(said) == figures, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_samples_use_only_what_the_schema_knows) {
  BOOST_TEST(samples().size() >= 5u);
  for (const auto& path : samples()) {
    auto sample = test::require_value(read_config_file(path));
    BOOST_TEST(unknown_part(sample, schema(), "") == "", path);
  }
}

BOOST_AUTO_TEST_CASE(the_check_itself_finds_what_is_unknown) {
  auto check = [](std::string_view text) {
    return unknown_part(*parse_input(text, "x", 1), schema(), "");
  };
  BOOST_TEST(
    check(R"({"scenario": "s", "steps": [{"turn": {"inputs": 1}}]})") == ".steps[0].turn.inputs");
  BOOST_TEST(check(R"({"steps": [{"expect": {"turn": {"status": "done"}}}]})")
             == ".steps[0].expect.turn.status");
  BOOST_TEST(
    check(R"({"steps": [{"expect": {"goals": [{"counts": 1}]}}]})") == ".steps[0].expect.goals");
}

BOOST_AUTO_TEST_CASE(the_samples_can_be_read) {
  BOOST_REQUIRE(!samples().empty());
  for (const auto& path : samples()) {
    const auto sample = test::require_value(read_input(path));
    BOOST_TEST(sample.conversations.size() == 1u);
    BOOST_TEST(sample.conversations.at(0).id == path.stem().string());
    BOOST_TEST(count_turns(sample.conversations.at(0)) >= 1u);
  }
}

} // namespace scratchpage
