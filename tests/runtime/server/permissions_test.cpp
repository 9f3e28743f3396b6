#include <map>
#include <string>
#include <string_view>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/tests/runtime/server/guarded_host.hpp"

/// Calls every operation as every kind of principal. The operations come from the server's
/// list: an operation without arguments here fails the test, and one without a least role does
/// not compile.

namespace scratchpage::test {

namespace {

struct principals : guarded_host {
  std::string reader = let_in("reader", role::admin, true, auth::right::read);
  std::string tool = let_in("scanner", role::tool);
  std::string agent_token = let_in("assistant");
  std::string other_agent = let_in("other");
  std::string person = let_in("ann", role::daemon, true);
  std::string admin = let_in("root", role::admin);
  std::string stranger = let_in("stranger", role::admin, true, auth::right::write, "bob");

  principals() { agent("ada"); }

  /// The result of an operation: "ok", or the error's code and field.
  std::string outcome(
    const std::string& token, std::string_view operation, const std::string& arguments = "{}") {
    auto answer = send(request("POST", "/rpc?agent=ada", token,
      R"({"jsonrpc": "2.0", "id": 1, "method": ")" + std::string{operation} + R"(", "params": )"
        + arguments + "}"));
    auto body = json::parse(answer.body);
    if (answer.status != 200) {
      const auto& error = body.at("error");
      return std::string{error.at("code").as_string()};
    }
    if (const auto* error = body.as_object().if_contains("error")) {
      const auto& data = error->at("data");
      return std::string{data.at("code").as_string()} + " "
             + (data.as_object().contains("field") ? std::string{data.at("field").as_string()}
                                                   : "");
    }
    last = body.at("result");
    return "ok";
  }

  std::string id_of_last(const char* name) const { return std::string{last.at(name).as_string()}; }

  bool is_let_in(const std::string& outcome) const {
    return !outcome.starts_with("forbidden") && !outcome.starts_with("unauthenticated");
  }

  json::value last;
};

/// Valid arguments for each operation, which may name things that do not exist.
const std::map<std::string_view, std::string_view>& arguments() {
  static const std::map<std::string_view, std::string_view> all{
    {"add_observation", R"({"type": "observation", "content": "Smoke"})"},
    {"add_observations", R"({"drafts": [{"type": "observation", "content": "Smoke"}]})"},
    {"query_observations", "{}"}, {"list_observations", "{}"},
    {"get_observation", R"({"observation_id": "obs_20260101_001"})"},
    {"get_active_observations", "{}"},
    {"update_observation",
      R"({"observation_id": "obs_20260101_001", "changes": {"status": "resolved"}})"},
    {"archive_observation", R"({"observation_id": "obs_20260101_001"})"},
    {"clear_resolved", R"({"observation_ids": []})"}, {"list_archive", "{}"}, {"page_stats", "{}"},
    {"subscribers_list", "{}"}, {"register_type", R"({"type": "measurement"})"},
    {"begin_turn", R"({"input": "Hello", "mode": "parallel"})"},
    {"end_turn", R"({"turn_id": "turn_20260101_001"})"},
    {"report_tool_call", R"({"turn_id": "turn_20260101_001", "tool_id": "a", "status": "ok"})"},
    {"await_turn", R"({"turn_id": "turn_20260101_001"})"}, {"turns_list", "{}"}, {"page_at", "{}"},
    {"trace_turns", "{}"}, {"trace_latest", "{}"},
    {"turn_trace", R"({"turn_id": "turn_20260101_001"})"}, {"goals_list", "{}"},
    {"goal_get", R"({"goal_id": "goal_1"})"},
    {"goal_update", R"({"goal_id": "goal_1", "status": "abandoned"})"},
    {"action_complete", R"({"goal_id": "goal_1", "action_id": "a"})"},
    {"action_refuse", R"({"goal_id": "goal_1", "action_id": "a"})"},
    {"create_goal", R"({"title": "Find the smoke"})"}, {"query_facts", "{}"},
    {"add_fact", R"({"statement": "The server room is in the cellar"})"},
    {"update_fact", R"({"fact_id": "fact_999", "ended": true})"}, {"query_episodes", "{}"},
    {"search_memory", R"({"query": "smoke"})"}, {"forget", R"({"fact_id": "fact_999"})"},
    {"remember", R"({"text": "The server room is in the cellar"})"}, {"recall", "{}"},
    {"assemble_context", "{}"}, {"scratch_read", "{}"}, {"scratch_list", "{}"},
    {"scratch_add", R"({"kind": "note", "title": "Smoke"})"},
    {"scratch_update", R"({"id": "s1", "title": "Fire"})"}, {"scratch_complete", R"({"id": "s1"})"},
    {"scratch_pin", R"({"id": "s1"})"}, {"scratch_unpin", R"({"id": "s1"})"}};
  return all;
}

std::string about(std::string_view name, const std::string& id, std::string_view more = {}) {
  return R"({")" + std::string{name} + R"(": ")" + id + "\"" + std::string{more} + "}";
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(permissions, principals)

BOOST_AUTO_TEST_CASE(each_operation_lets_in_the_roles_that_it_names_and_nobody_else) {
  BOOST_REQUIRE(!all_operations().empty());
  for (const auto& x : all_operations()) {
    auto found = arguments().find(x.name);
    BOOST_REQUIRE_MESSAGE(found != arguments().end(), "no arguments for " << x.name);
    std::string with{found->second};
    auto least = x.least.value;
    BOOST_TEST(outcome("", x.name, with).starts_with("unauthenticated"), x.name);
    BOOST_TEST(outcome(stranger, x.name, with).starts_with("forbidden"), x.name);
    BOOST_TEST(is_let_in(outcome(reader, x.name, with)) == !x.changes(), x.name);
    BOOST_TEST(is_let_in(outcome(tool, x.name, with)) == (least == role::tool), x.name);
    BOOST_TEST(is_let_in(outcome(agent_token, x.name, with)) == (least != role::admin), x.name);
    BOOST_TEST(is_let_in(outcome(person, x.name, with)) == (least != role::admin), x.name);
    BOOST_TEST(is_let_in(outcome(admin, x.name, with)), x.name);
  }
}

BOOST_AUTO_TEST_CASE(a_tool_changes_what_it_added_and_nothing_of_others) {
  BOOST_TEST(outcome(tool, "add_observation", R"({"type": "alert", "content": "Smoke"})") == "ok");
  auto own = id_of_last("observation_id");
  outcome(agent_token, "add_observation", R"({"type": "alert", "content": "Fire"})");
  auto others = id_of_last("observation_id");
  constexpr auto resolved = R"(, "changes": {"status": "resolved"})";
  BOOST_TEST(outcome(tool, "update_observation", about("observation_id", own, resolved)) == "ok");
  BOOST_TEST(outcome(tool, "update_observation", about("observation_id", others, resolved))
             == "forbidden observation_id");
  BOOST_TEST(outcome(tool, "archive_observation", about("observation_id", others))
             == "forbidden observation_id");
  BOOST_TEST(outcome(tool, "archive_observation", about("observation_id", own)) == "ok");
}

BOOST_AUTO_TEST_CASE(an_agent_settles_what_anybody_noticed_and_changes_no_persons_words) {
  outcome(person, "add_observation", R"({"type": "reminder", "content": "Call home"})");
  auto id = id_of_last("observation_id");
  auto with = [&](std::string_view more) { return about("observation_id", id, more); };
  for (const auto& [member, value] : std::map<std::string, std::string>{{"content", R"("Pay")"},
         {"tags", R"(["consent"])"}, {"context", R"({"pending_action_id": "a"})"},
         {"metadata", R"({"x": 1})"}, {"confidence", "1"}})
    BOOST_TEST(outcome(agent_token, "update_observation",
                 with(R"(, "changes": {")" + member + "\": " + value + "}"))
               == "forbidden " + member);
  BOOST_TEST(
    outcome(person, "update_observation", with(R"(, "changes": {"content": "Call mum"})")) == "ok");
  BOOST_TEST(
    outcome(agent_token, "update_observation", with(R"(, "changes": {"ttl_minutes": 9})")) == "ok");
  BOOST_TEST(
    outcome(agent_token, "update_observation", with(R"(, "changes": {"status": "resolved"})"))
    == "ok");
  BOOST_TEST(last.at("resolved_by").at("daemon").as_string() == "assistant");
}

BOOST_AUTO_TEST_CASE(a_fact_is_corrected_by_who_stated_it_or_by_who_owns_the_agent) {
  BOOST_TEST(outcome(person, "add_fact", R"({"statement": "Ann lives in Berlin"})") == "ok");
  auto id = id_of_last("fact_id");
  auto with = [&](std::string_view statement) {
    return about("fact_id", id, R"(, "statement": ")" + std::string{statement} + "\"");
  };
  BOOST_TEST(outcome(agent_token, "update_fact", with("Ann lives in Rome")) == "forbidden fact_id");
  BOOST_TEST(outcome(person, "update_fact", with("Ann lives in Bonn")) == "ok");
  BOOST_TEST(outcome(agent_token, "forget", about("fact_id", id)) == "forbidden fact_id");
  BOOST_TEST(outcome(admin, "update_fact", with("Ann lives in Kiel")) == "ok");
  BOOST_TEST(outcome(admin, "forget", about("fact_id", id)) == "ok");
  BOOST_TEST(outcome(admin, "forget", about("fact_id", id)) == "not_found fact_id");
}

BOOST_AUTO_TEST_CASE(a_turn_is_ended_by_who_began_it_or_by_who_owns_the_agent) {
  for (const auto& ender : {agent_token, admin}) {
    outcome(agent_token, "begin_turn", R"({"input": "Hello", "hold": true, "mode": "parallel"})");
    auto turn = about("turn_id", id_of_last("turn_id"));
    BOOST_TEST(outcome(other_agent, "end_turn", turn) == "forbidden turn_id");
    BOOST_TEST(outcome(person, "end_turn", turn) == "forbidden turn_id");
    BOOST_TEST(outcome(ender, "end_turn", turn) == "ok");
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
