#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/operations.hpp"
#include "scratchpage/tests/runtime/api/asked_team.hpp"

/// The operations of the contract, called by name and with JSON.

namespace scratchpage::test {

namespace {

/// A working memory that answers only after the time `takes`.
struct slow_memory {
  using handle = working_memory_actor;
  static constexpr const char* name = "slow_memory";

  slow_memory(handle::pointer self, timespan takes)
    : self_{self},
      takes_{takes} {}

  handle::behavior_type make_behavior() {
    return {[this](const assemble_context&) -> caf::result<assembled_context> {
      auto promise = self_->make_response_promise<assembled_context>();
      self_->run_delayed(takes_, [promise]() mutable { promise.deliver(assembled_context{}); });
      return promise;
    }};
  }

  handle::pointer self_;
  timespan takes_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(operations_by_name, asked_team)

BOOST_AUTO_TEST_CASE(what_nobody_answers_is_given_up_in_time) {
  begin();
  auto ask_one_that_takes = [&](timespan takes) {
    operations_parts parts;
    parts.memory = make<slow_memory>(takes);
    auto patient = make<operations_state>(parts, operations_config{.request_ms = 2'000});
    return send(patient, call_operation{by, {}, "assemble_context", {}});
  };
  auto in_time = ask_one_that_takes(std::chrono::milliseconds{1'900});
  auto too_late = ask_one_that_takes(std::chrono::milliseconds{5'000});
  advance(std::chrono::milliseconds{1'950});
  BOOST_REQUIRE(in_time->arrived());
  BOOST_TEST(bool{*in_time->value});
  BOOST_TEST(!too_late->arrived());
  advance(open_answers::step * 2);
  BOOST_REQUIRE(too_late->arrived());
  BOOST_REQUIRE(!*too_late->value);
  BOOST_TEST((code_of(too_late->value->error()) == errc::deadline_exceeded));
  advance(std::chrono::seconds{5}); // the late answer is ignored
}

BOOST_AUTO_TEST_CASE(the_examples_of_the_first_seed_are_answered) {
  begin();
  by = as_daemon("assistant");
  auto added = call("add_observation", R"({
    "type": "error_alert", "content": "Tool 'weather_api' failed with timeout",
    "confidence": 0.99, "tags": ["error", "weather_api", "timeout"],
    "source": {"daemon": "executor", "turn_id": "turn_20251105_001"}, "ttl_minutes": 60})");
  BOOST_TEST(added.at("type").as_string() == "error_alert");
  BOOST_TEST(added.at("source").at("daemon").as_string() == "assistant"); // not the claimed source
  auto found = call("query_observations", R"({
    "query": "What errors occurred in this turn?",
    "metadata": {"tags": ["error"], "status": "active", "min_confidence": 0.8}})");
  BOOST_TEST(total(found) == 1u);
  BOOST_TEST(found.at("observations").at(0).at("observation_id").as_string()
             == added.at("observation_id").as_string());
  BOOST_TEST(total(call("list_observations", R"({"owner": "agent"})")) >= 1u);
}

BOOST_AUTO_TEST_CASE(more_than_a_thousand_drafts_are_refused_and_none_is_stored) {
  begin();
  std::string drafts;
  for (auto i = 0; i < 1'001; ++i)
    drafts += (i == 0 ? "" : ",") + std::string{R"({"type": "alert", "content": "Smoke"})"};
  BOOST_TEST(
    refusal("add_observations", R"({"drafts": [)" + drafts + "]}") == "invalid_request drafts");
  BOOST_TEST(total(call("list_observations", "{}")) == 0u);
}

BOOST_AUTO_TEST_CASE(one_bad_draft_refuses_itself_only) {
  begin();
  auto results = call("add_observations", R"({"drafts": [
    {"type": "alert", "content": "Smoke"}, {"type": "alert", "content": " "},
    {"type": "alert", "content": "Fire", "confidence": 7}, {"type": "alert", "text": "Ash"}, 19]})")
                   .at("results");
  BOOST_TEST(results.at(0).at("content").as_string() == "Smoke");
  BOOST_TEST(results.at(1).at("error").at("code").as_string() == "invalid_observation");
  BOOST_TEST(results.at(1).at("error").at("field").as_string() == "content");
  BOOST_TEST(results.at(2).at("confidence").to_number<double>() == 1);
  BOOST_TEST(results.at(2).at("warnings").as_array().size() == 1u);
  BOOST_TEST(results.at(3).at("error").at("field").as_string() == "text");
  BOOST_TEST(results.at(4).at("error").at("code").as_string() == "invalid_observation");
  BOOST_TEST(results.at(4).at("error").at("field").as_string() == "draft");
  BOOST_TEST(results.as_array().size() == 5u);
}

BOOST_AUTO_TEST_CASE(an_observation_is_read_changed_and_archived) {
  begin();
  auto id = add(R"({"type": "observation", "content": "Smoke"})");
  auto about = R"({"observation_id": ")" + id + "\"";
  BOOST_TEST(call("get_observation", about + "}").at("content").as_string() == "Smoke");
  BOOST_TEST(call("get_observation", R"({"observation_id": "obs_1"})").is_null());
  auto updated = call(
    "update_observation", about + R"(, "changes": {"content": "Fire"}, "expected_revision": 1})");
  BOOST_TEST(updated.at("revision").to_number<int>() == 2);
  BOOST_TEST(refusal("update_observation",
               about + R"(, "changes": {"content": "Ash"}, "expected_revision": 1,
                      "on_conflict": "reject"})")
             == "conflict expected_revision");
  BOOST_TEST(refusal("update_observation", about + R"(, "changes": {"type": "alert"}})")
             == "immutable_field changes.type");
  BOOST_TEST(refusal("clear_resolved", R"({"observation_ids": [")" + id + R"("]})")
             == "invalid_transition observation_ids");
  BOOST_TEST(call("archive_observation", about + "}").is_null());
  BOOST_TEST(call("get_observation", about + "}").is_null());
  BOOST_TEST(total(call("list_archive")) == 1u);
  BOOST_TEST(call("get_active_observations").at("observations").as_array().empty());
}

BOOST_AUTO_TEST_CASE(an_action_is_refused_once_and_for_all) {
  begin();
  create_goal wanted;
  wanted.by = by;
  wanted.draft.goal_id = "trip";
  wanted.draft.goal_type = "travel";
  wanted.draft.pending_actions = {
    {.action_id = "book", .action_type = "book_flight", .assigned_to = assignee::user}};
  value(ask(host->cortex(), wanted));
  auto which = R"({"goal_id": "trip", "action_id": "book"})";
  by = as_daemon("assistant");
  BOOST_TEST(refusal("action_refuse", which) == "forbidden action_id");
  by = as_user("ann");
  auto refused = call("action_refuse", which);
  BOOST_TEST(refused.at("pending_actions").at(0).at("status").as_string() == "cancelled");
  BOOST_TEST(refused.at("status").as_string() == "abandoned");
  BOOST_TEST(to_text(call("action_refuse", which)) == to_text(refused));
  BOOST_TEST(refusal("action_complete", which) == "invalid_transition action_id");
}

BOOST_AUTO_TEST_CASE(who_listens_is_told_with_how_far_it_is) {
  begin();
  add(R"({"type": "observation", "content": "Smoke"})");
  auto told = call("subscribers_list");
  std::set<std::string> names;
  for (const auto& x : told.at("subscribers").as_array()) {
    names.emplace(x.at("name").as_string());
    BOOST_TEST(x.at("lag").to_number<int>() == 0);
    BOOST_TEST(x.at("in_turns").as_bool());
  }
  BOOST_TEST(names.contains("router"));
  BOOST_TEST(names.contains("executor"));
  BOOST_TEST(told.at("sequence").to_number<int>() == 1);
  by = as_tool("weather_api");
  BOOST_TEST(refusal("subscribers_list") == "forbidden by.role");
}

BOOST_AUTO_TEST_CASE(turns_are_listed_the_open_one_first_and_those_before_a_time) {
  begin();
  call("begin_turn", R"({"input": "Urgent: fire in the hall!", "user_id": "ann"})");
  advance(std::chrono::seconds{1});
  call("begin_turn", R"({"input": "Find a flight to Paris"})");
  advance(std::chrono::seconds{1});
  call("begin_turn", R"({"input": "Wait for me", "hold": true})");
  auto turns = call("turns_list").at("turns");
  BOOST_REQUIRE(turns.as_array().size() == 3u);
  BOOST_TEST(turns.at(0).at("status").as_string() == "held");
  BOOST_TEST(turns.at(0).at("input").as_string() == "Wait for me");
  BOOST_TEST(!turns.at(0).as_object().contains("ended_at"));
  BOOST_TEST(turns.at(1).at("input").as_string() == "Find a flight to Paris");
  BOOST_TEST(turns.at(1).at("status").as_string() == "waiting");
  BOOST_TEST(turns.at(2).at("urgency").as_string() == "high");
  BOOST_TEST(turns.at(2).at("user_id").as_string() == "ann");
  BOOST_TEST(turns.at(2).at("thread_id").as_string() == "main");

  auto two = call("turns_list", R"({"limit": 2})").at("turns");
  BOOST_TEST(two.as_array().size() == 2u);
  std::string until{turns.at(1).at("ended_at").as_string()};
  auto earlier = call("turns_list", R"({"before": ")" + until + "\"}").at("turns");
  BOOST_REQUIRE(earlier.as_array().size() == 1u);
  BOOST_TEST(earlier.at(0).at("input").as_string() == "Urgent: fire in the hall!");
  BOOST_TEST(refusal("turns_list", R"({"limit": 0})") == "invalid_request limit");
  BOOST_TEST(refusal("turns_list", R"({"before": "noon"})") == "invalid_request before");
}

BOOST_AUTO_TEST_CASE(a_turn_that_nobody_ended_in_time_is_listed_as_that) {
  begin();
  call("begin_turn", R"({"input": "Wait for me", "hold": true, "deadline_ms": 5000})");
  advance(std::chrono::seconds{6});
  auto turns = call("turns_list").at("turns");
  BOOST_REQUIRE(turns.as_array().size() == 1u);
  BOOST_TEST(turns.at(0).at("status").as_string() == "timed_out");
  BOOST_TEST(turns.at(0).as_object().contains("ended_at"));
}

BOOST_AUTO_TEST_CASE(a_query_takes_a_second_at_most) {
  begin();
  add(R"({"type": "observation", "content": "Smoke"})");
  for (const auto* deadline : {"1001", "30000", "1e300"})
    BOOST_TEST(refusal("query_observations",
                 R"({"query": "smoke", "deadline_ms": )" + std::string{deadline} + "}")
               == "invalid_request deadline_ms");
  BOOST_TEST(total(call("query_observations", R"({"query": "smoke", "deadline_ms": 1000})")) == 1u);
}

BOOST_AUTO_TEST_CASE(a_turn_lasts_a_week_at_most) {
  begin();
  for (const auto* deadline : {"-1", "604800001", "1e300"})
    BOOST_TEST(
      refusal("begin_turn", R"({"input": "x", "deadline_ms": )" + std::string{deadline} + "}")
      == "invalid_request deadline_ms");
  auto turn = call("begin_turn", R"({"input": "Thanks", "deadline_ms": 604800000})");
  BOOST_TEST(turn.at("status").as_string() == "complete");
}

BOOST_AUTO_TEST_CASE(a_turn_knows_the_trace_of_who_asked) {
  begin();
  auto given = R"({"input": "x", "traceparent": "00-0af7651916cd43dd8448eb211c80319c-)"
               R"(b7ad6b7169203331-01"})";
  call("begin_turn", given);
  auto all = trace->entries();
  auto began = std::find_if(
    all.begin(), all.end(), [](const trace_entry& x) { return x.operation == "begin_turn"; });
  BOOST_REQUIRE((began != all.end()));
  BOOST_TEST(began->detail.at("traceparent").as_string()
             == "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  BOOST_TEST(refusal("begin_turn", R"({"input": "x", "traceparent": "00-1-2-3"})")
             == "invalid_request traceparent");
}

BOOST_AUTO_TEST_CASE(a_turn_is_worked_on_and_its_result_asked_for_again) {
  begin();
  auto turn = call("begin_turn", R"({"input": "Find a flight to Paris", "user_id": "ann"})");
  BOOST_TEST(turn.at("status").as_string() == "waiting");
  auto again =
    call("end_turn", R"({"turn_id": ")" + std::string{turn.at("turn_id").as_string()} + "\"}");
  BOOST_TEST(again.at("turn_id").as_string() == turn.at("turn_id").as_string());
  BOOST_TEST(
    refusal("begin_turn", R"({"input": "x", "agent_id": "bob"})") == "invalid_request agent_id");
}

BOOST_AUTO_TEST_CASE(goals_are_listed_changed_and_their_actions_completed) {
  begin();
  add(R"({"type": "contextual_insight", "content": "User likes Burgundy", "confidence": 0.95})");
  auto goals = call("goals_list", R"({"status": "pending"})").at("goals");
  BOOST_REQUIRE(goals.as_array().size() == 1u);
  auto about = R"({"goal_id": "goal_1")";
  BOOST_TEST(call("goal_get", std::string{about} + "}").at("goal_id").as_string() == "goal_1");
  auto updated = call("goal_update", std::string{about} + R"(, "priority": "low"})");
  BOOST_TEST(updated.at("priority").as_string() == "low");
  auto done = call("action_complete", std::string{about} + R"(, "action_id": "goal_1_action_1"})");
  BOOST_TEST(done.at("status").as_string() == "completed");
}

BOOST_AUTO_TEST_CASE(a_context_and_a_scratchbook_are_those_of_the_callers_thread) {
  begin();
  add(R"({"type": "alert", "content": "Smoke in the server room"})");
  auto context = call("assemble_context", R"({"prompt": "What burns?", "budget": 1000})");
  BOOST_TEST(context.at("text").as_string().find("Smoke") != json::string::npos);
  call("scratch_add", R"({"kind": "todo", "title": "Ask for the date"})");
  call("scratch_update", R"({"id": "s1", "status": "blocked"})");
  call("scratch_pin", R"({"id": "s1"})");
  BOOST_TEST(call("scratch_read").at("view").as_string()
             == "s1 pinned todo blocked: Ask for the date (user ann)");
  call("scratch_unpin", R"({"id": "s1"})");
  BOOST_TEST(call("scratch_complete", R"({"id": "s1"})").at("status").as_string() == "done");
}

BOOST_AUTO_TEST_CASE(all_that_is_told_of_is_there_and_takes_what_its_schema_says) {
  begin();
  size_t tried = 0;
  for (const auto& x : all_operations()) {
    const auto& schema = x.input_schema();
    const auto* properties = schema.if_contains("properties");
    for (const auto& [name, property] : properties ? properties->get_object() : json::object{}) {
      // A value that every argument refuses, so that the call changes nothing.
      auto nothing = name == "drafts" ? json::value(true) : json::value(json::array{json::array{}});
      json::object arguments{{name, std::move(nothing)}};
      auto refused = refusal(std::string{x.name}, to_text(arguments));
      BOOST_TEST(refused.find("operation") == std::string::npos, x.name << ": " << refused);
      auto answer = try_to(std::string{x.name}, to_text(arguments));
      BOOST_REQUIRE(!answer);
      BOOST_TEST(describe(answer.error()).find("unknown field") == std::string::npos,
        x.name << ": " << describe(answer.error()));
      ++tried;
    }
  }
  BOOST_TEST(tried > 0u);
}

BOOST_AUTO_TEST_CASE(a_filter_stands_beside_the_text_or_in_the_older_form) {
  begin();
  add(R"({"type": "alert", "content": "Smoke in the cellar", "tags": ["smoke"]})");
  add(R"({"type": "observation", "content": "Smoke in the kitchen", "tags": ["smoke"]})");
  add(R"({"type": "alert", "content": "Water in the cellar", "tags": ["water"]})");
  for (const auto* query :
    {R"({"query": "cellar", "type": "alert", "tags": ["smoke"], "limit": 5})",
      R"({"query": "cellar", "metadata": {"type": "alert", "tags": ["smoke"], "limit": 5}})",
      R"({"query": "cellar", "type": "alert", "metadata": {"tags": ["smoke"], "limit": 5}})"}) {
    auto found = call("query_observations", query);
    BOOST_TEST(total(found) == 1u, query);
    BOOST_TEST(
      found.at("observations").at(0).at("content").as_string() == "Smoke in the cellar", query);
  }
  auto first = call("query_observations", R"({"tags": ["smoke"], "limit": 1})");
  BOOST_TEST(first.at("observations").as_array().size() == 1u);
  auto cursor = to_text(first.at("next_cursor"));
  auto rest = call("query_observations", R"({"tags": ["smoke"], "cursor": )" + cursor + "}");
  BOOST_TEST(rest.at("observations").as_array().size() == 1u);
}

BOOST_AUTO_TEST_CASE(arguments_are_read_strictly_and_nobody_says_who_they_are) {
  begin();
  BOOST_TEST(refusal("fly") == "not_found operation");
  BOOST_TEST(refusal("add_observation", R"({"type": "alert"})") == "invalid_observation content");
  BOOST_TEST(
    refusal("add_observation", R"({"type": "gossip", "content": "x"})") == "unknown_type type");
  BOOST_TEST(refusal("query_observations", R"({"text": "x"})") == "invalid_request text");
  BOOST_TEST(
    refusal("query_observations", R"({"metadata": {"limit": 0}})") == "invalid_request limit");
  BOOST_TEST(refusal("query_observations", R"({"metadata": {"tag": "x"}})")
             == "invalid_request metadata.tag");
  BOOST_TEST(refusal("query_observations", R"({"limit": 3, "metadata": {"limit": 3}})")
             == "invalid_request limit");
  BOOST_TEST(refusal("query_observations", R"({"tags": "smoke, fire"})") == "invalid_request tags");
  BOOST_TEST(refusal("get_observation") == "invalid_request observation_id");
  BOOST_TEST(refusal("goals_list", R"({"by": {"role": "admin", "kind": "user", "name": "x"}})")
             == "invalid_request by");
  BOOST_TEST(refusal("scratch_add", R"({"kind": "todo", "title": "x", "thread_id": "other"})")
             == "invalid_request thread_id");
  BOOST_TEST(refusal("register_type", R"({"type": "rumour"})") == "forbidden by.role");
  by = as_admin("root");
  BOOST_TEST(call("register_type", R"({"type": "rumour"})").is_null());
  add(R"({"type": "rumour", "content": "They say so"})");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
