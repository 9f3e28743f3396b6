#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/operation_schemas.hpp"
#include "scratchpage/tests/support/json_schema_check.hpp"
#include "scratchpage/tests/support/operation_schema.hpp"

/// The schemas of arguments and answers.

namespace scratchpage::test {

namespace {

using problems = std::vector<std::string>;

/// Finds members without a description or an example, in objects, items of lists and
/// alternatives. A member that has members itself needs no example.
void look_at_members(const json::object& schema, const std::string& at, problems& found) {
  if (const auto* items = schema.if_contains("items"))
    look_at_members(items->as_object(), at + "[]", found);
  if (const auto* choices = schema.if_contains("anyOf"))
    for (const auto& one : choices->as_array())
      look_at_members(one.as_object(), at, found);
  const auto* members = schema.if_contains("properties");
  for (const auto& [name, one] : members ? members->as_object() : json::object{}) {
    auto there = at + "." + std::string{name};
    const auto& member = one.as_object();
    if (!member.contains("description"))
      found.push_back(there + " has no description");
    auto is_nested = to_text(one).find("\"properties\"") != std::string::npos;
    if (!is_nested && !member.contains("examples"))
      found.push_back(there + " has no example");
    look_at_members(member, there, found);
  }
}

problems problems_of(const json::object& schema, std::string_view name) {
  problems result;
  look_at_members(schema, std::string{name}, result);
  return result;
}

/// The required members of `example`, and one more.
json::object with_member(
  const json::object& example, const json::object& schema, json::string_view more) {
  json::object result;
  if (const auto* needed = schema.if_contains("required"))
    for (const auto& name : needed->as_array())
      result[name.as_string()] = example.at(name.as_string());
  result[more] = example.at(more);
  return result;
}

std::string names_of(const json::object& schema) {
  std::string result;
  const auto* members = schema.if_contains("properties");
  for (const auto& [name, one] : members ? members->as_object() : json::object{})
    result.append(result.empty() ? "" : " ").append(name);
  return result;
}

// -- structs with wrong notes -----------------------------------------------------------

template <int>
struct numbers {
  int a = 0;
  int b = 0;

  static constexpr auto fields(auto all) {
    return all(required("a", &numbers::a), optional("b", &numbers::b));
  }
};

using not_noted = numbers<0>;
using noted_well = numbers<1>;
using noted_once = numbers<2>;
using noted_twice = numbers<3>;
using noted_beyond = numbers<4>;

} // namespace

} // namespace scratchpage::test

namespace scratchpage {

template <>
struct notes<test::noted_well> {
  static constexpr std::string_view name = "well";
  static constexpr std::array members{note{"a", "The first", "1"}, note{"b", "The second", "2"}};
};

template <>
struct notes<test::noted_once> {
  static constexpr std::string_view name = "once";
  static constexpr std::array members{note{"a", "The first", "1"}};
};

template <>
struct notes<test::noted_twice> {
  static constexpr std::string_view name = "twice";
  static constexpr std::array members{note{"a", "The first", "1"}, note{"a", "The first", "1"}};
};

template <>
struct notes<test::noted_beyond> {
  static constexpr std::string_view name = "beyond";
  static constexpr std::array members{note{"a", "The first", "1"}, note{"c", "The third", "3"}};
};

} // namespace scratchpage

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(schemas_of_operations)

BOOST_AUTO_TEST_CASE(every_member_of_arguments_and_answers_has_a_description_and_an_example) {
  BOOST_REQUIRE(!all_operations().empty());
  for (const auto& x : all_operations()) {
    auto schema = schema_of_operation(x.name);
    for (const auto& part : {schema.arguments, schema.result})
      for (const auto& problem : problems_of(part, x.name))
        BOOST_ERROR(problem);
  }
}

BOOST_AUTO_TEST_CASE(a_member_that_nobody_describes_is_found) {
  auto problems = problems_of(json_schema<noted_well>(members::closed), "well");
  BOOST_TEST(problems.empty());
  BOOST_TEST(problems_of(json_schema<not_noted>(members::closed), "not").size() == 4u);
}

BOOST_AUTO_TEST_CASE(notes_name_each_member_once_and_no_other) {
  static_assert(covers_each_member<noted_well>());
  static_assert(!covers_each_member<noted_once>());
  static_assert(!covers_each_member<noted_twice>());
  static_assert(!covers_each_member<noted_beyond>());
  BOOST_TEST(note_of<noted_well>("b")->description == "The second");
  BOOST_TEST(note_of<noted_well>("c") == nullptr);
}

BOOST_AUTO_TEST_CASE(every_example_is_one_that_the_reader_takes) {
  BOOST_REQUIRE(!all_operations().empty());
  for (const auto& x : all_operations()) {
    const auto& takes = x.performed.takes;
    auto schema = takes.schema(nullptr);
    auto example = takes.example();
    auto refused = takes.check(json::value(example));
    BOOST_TEST(!refused, x.name << ": " << describe(refused));
    for (const auto& [name, value] : example) {
      auto one = takes.check(json::value(with_member(example, schema, name)));
      BOOST_TEST(!one, x.name << ": " << describe(one));
    }
    const json::value whole(std::move(schema));
    BOOST_TEST(json_schema_check{whole}.violation(whole, json::value(example)) == "", x.name);
  }
}

BOOST_AUTO_TEST_CASE(the_reader_refuses_what_no_example_may_be) {
  const auto& takes = find_operation("get_observation")->performed.takes;
  BOOST_TEST(field_of(takes.check(json::object{})) == "observation_id");
  BOOST_TEST(field_of(takes.check({{"observation_id", 7}})) == "observation_id");
}

BOOST_AUTO_TEST_CASE(what_is_for_programs_that_embed_the_ensemble_is_told_to_nobody) {
  auto arguments = schema_of_operation("begin_turn").arguments;
  BOOST_TEST(!arguments.at("properties").as_object().contains("agent_id"));
}

BOOST_AUTO_TEST_CASE(limits_and_defaults_are_those_that_are_checked) {
  auto text_of = [](std::string_view operation, json::string_view member) {
    auto schema = schema_of_operation(operation).arguments.at("properties").at(member).as_object();
    schema.erase("description");
    schema.erase("examples");
    return to_text(json::value(std::move(schema)));
  };
  BOOST_TEST(text_of("turns_list", "limit")
             == R"({"type":"integer","minimum":1,"maximum":1000,"default":20})");
  BOOST_TEST(text_of("goals_list", "limit")
             == R"({"type":"integer","minimum":1,"maximum":1000,"default":1000})");
  BOOST_TEST(text_of("scratch_add", "title") == R"({"type":"string","minLength":1})");
  BOOST_TEST(
    text_of("register_type", "type") == R"({"type":"string","pattern":"^[a-z][a-z0-9_]{0,63}$"})");
  BOOST_TEST(text_of("add_observation", "tags")
             == R"({"type":"array","items":{"type":"string","minLength":1,"maxLength":64}})");
}

BOOST_AUTO_TEST_CASE(models_are_told_of_what_they_need_and_of_no_more) {
  const std::map<std::string_view, std::string> told{
    {"add_observation", "type content confidence tags context ttl_minutes turn_id"},
    {"add_observations", "drafts turn_id"},
    {"query_observations", "query type status tags limit cursor"},
    {"list_observations", "type status tags limit cursor"}, {"get_observation", "observation_id"},
    {"get_active_observations", "limit cursor"},
    {"update_observation", "observation_id changes expected_revision on_conflict"},
    {"archive_observation", "observation_id"}, {"clear_resolved", "observation_ids"},
    {"list_archive", "type status tags limit cursor"}, {"begin_turn", "user_id input plan hold"},
    {"end_turn", "turn_id response"},
    {"report_tool_call", "turn_id tool_id status inputs outputs error idempotent alternatives"},
    {"goals_list", "status limit cursor"}, {"goal_update", "goal_id status priority progress"},
    {"assemble_context", "prompt budget"}, {"scratch_read", "after"},
    {"scratch_add", "kind title body tags goal_id"},
    {"scratch_update", "id status title body progress"}, {"scratch_complete", "id"},
    {"scratch_pin", "id"}, {"scratch_unpin", "id"},
    {"create_goal", "title description priority pending_actions"},
    {"action_complete", "goal_id action_id"}, {"action_refuse", "goal_id action_id"},
    {"query_facts", "query user_id limit cursor"}, {"add_fact", "statement user_id tags"},
    {"update_fact", "fact_id statement ended"}, {"query_episodes", "query turn_id limit cursor"},
    {"search_memory", "query in limit"}, {"forget", "id"}, {"remember", "text about tags days"},
    {"recall", "query limit"}};
  size_t offered = 0;
  for (const auto& x : all_operations()) {
    if (x.offered_to == audience::programs)
      continue;
    ++offered;
    BOOST_TEST(names_of(x.input_schema()) == told.at(x.name), x.name);
  }
  BOOST_TEST(offered == told.size());
}

BOOST_AUTO_TEST_CASE(models_are_told_what_each_argument_means_and_which_values_there_are) {
  auto look = [](auto& again, const json::object& schema, const std::string& at) -> void {
    const auto* members = schema.if_contains("properties");
    for (const auto& [name, one] : members ? members->as_object() : json::object{}) {
      auto there = at + "." + std::string{name};
      BOOST_TEST(one.as_object().contains("description"), there << " is not described");
      again(again, one.as_object(), there);
    }
  };
  for (const auto& x : all_operations())
    if (x.offered_to != audience::programs)
      look(look, x.input_schema(), std::string{x.name});
  auto query = find_operation("query_observations")->input_schema();
  const auto& members = query.at("properties").as_object();
  BOOST_TEST(members.at("status").as_object().contains("enum"));
  BOOST_TEST(!members.at("type").as_object().contains("enum")); // an agent can have more of them
  BOOST_TEST(members.at("tags").at("type").as_string() == "array");
  auto draft = find_operation("add_observation")->input_schema();
  auto types = std::string{draft.at("properties").at("type").at("description").as_string()};
  for (const auto* type : {"observation", "contextual_insight", "reminder", "alert", "learning"})
    BOOST_TEST(types.find(type) != std::string::npos, type);
  auto turn = find_operation("begin_turn")->input_schema();
  BOOST_TEST(turn.at("properties").at("plan").at("items").at("type").as_string() == "object");
  BOOST_TEST(turn.at("properties").at("hold").at("type").as_string() == "boolean");
  BOOST_TEST(to_text(turn.at("required")) == R"(["input"])");
}

BOOST_AUTO_TEST_CASE(a_struct_that_has_a_name_is_written_once) {
  named_schemas names;
  auto answer = find_operation("query_observations")->performed.gives(&names);
  BOOST_TEST(to_text(json::value(answer)) == R"({"$ref":"#/components/schemas/query_result"})");
  BOOST_TEST(names.all().size() == 4u);
  for (const auto* name : {"contradiction", "observation", "query_result", "source"})
    BOOST_TEST(names.all().contains(name), name);
  auto one = find_operation("get_observation")->performed.gives(&names);
  BOOST_TEST(to_text(one.at("anyOf").at(0)) == R"({"$ref":"#/components/schemas/observation"})");
  BOOST_TEST(names.all().size() == 4u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
