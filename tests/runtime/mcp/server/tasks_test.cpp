#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/runtime/mcp/server/task_table.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixtures.hpp"
#include "scratchpage/tests/runtime/mcp/server/endpoint_client.hpp"
#include "scratchpage/tests/runtime/mcp/server/line_client.hpp"

/// Tasks: the extension `io.modelcontextprotocol/tasks` of revision 2026-07-28.

namespace scratchpage::test {

namespace {

constexpr auto second = std::chrono::seconds{1};

json::object with_tasks() {
  return {{"elicitation", json::object{}},
    {"extensions", {{"io.modelcontextprotocol/tasks", json::object{}}}}};
}

struct task_client : line_client {
  explicit task_client(mcp::server_config config = {},
    std::shared_ptr<mcp::provider> offers = std::make_shared<fixtures>())
    : line_client{std::move(offers), std::move(config)} {}

  json::value call(std::string_view tool, json::object arguments = {}) {
    return modern("tools/call", call_of(tool, std::move(arguments)), with_tasks());
  }

  /// Begins a task. Returns its id.
  std::string begin(std::string_view tool, json::object arguments = {}) {
    auto begun = call(tool, std::move(arguments)).at("result");
    BOOST_REQUIRE(begun.at("resultType").as_string() == "task");
    return std::string{begun.at("taskId").as_string()};
  }

  std::string begin_slow(int seconds) {
    return begin("slow_compute", {{"seconds", seconds}, {"label", "it"}});
  }

  json::value ask_for(const std::string& id) {
    return modern("tasks/get", {{"taskId", id}}, with_tasks());
  }

  json::value state_of(const std::string& id) { return ask_for(id).at("result"); }

  std::string status_of(const std::string& id) {
    return std::string{state_of(id).at("status").as_string()};
  }

  json::value update(const std::string& id, json::object responses) {
    return modern(
      "tasks/update", {{"taskId", id}, {"inputResponses", std::move(responses)}}, with_tasks());
  }

  json::value cancel(const std::string& id) {
    return modern("tasks/cancel", {{"taskId", id}}, with_tasks());
  }

  json::value listen_to(const json::array& ids) {
    return modern("subscriptions/listen", {{"notifications", {{"taskIds", ids}}}}, with_tasks());
  }
};

/// Its tools go on as tasks, with results that are deeper than any request may be.
struct deep_results : fixtures {
  void call_tool(const std::string&, const json::object&, const call_ptr& by) override {
    by->become_task("It digs");
    by->on()->after(second, [by] {
      constexpr size_t depth = 40;
      by->give_members(
        R"("content":[],"structuredContent":)" + std::string(depth, '[') + std::string(depth, ']'));
    });
  }
};

json::object says_name(const char* name) {
  return {{"action", "accept"}, {"content", {{"name", name}}}};
}

/// The keys of the questions that a task waits for.
std::string keys_in(const json::value& state) {
  std::string result;
  for (const auto& [key, x] : state.at("inputRequests").as_object())
    result.append(result.empty() ? "" : " ").append(key);
  return result;
}

std::string statuses_in(const std::vector<json::value>& xs) {
  std::string result;
  for (const auto& x : xs)
    if (method_in(x) == "notifications/tasks")
      result.append(result.empty() ? "" : " ").append(x.at("params").at("status").as_string());
  return result;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_tasks, task_client)

BOOST_AUTO_TEST_CASE(a_long_call_is_answered_with_a_task_that_has_its_result_at_the_end) {
  auto id = begin_slow(5);
  BOOST_TEST(done == 1); // the request is answered
  auto working = state_of(id);
  BOOST_TEST(working.at("status").as_string() == "working");
  BOOST_TEST(working.at("statusMessage").as_string() == "It computes");
  BOOST_TEST(working.at("ttlMs").is_null());
  BOOST_TEST(working.at("pollIntervalMs").to_number<int>() == 1'000);
  BOOST_TEST(!working.as_object().contains("result"));
  strand->advance(5 * second);
  auto ended = state_of(id);
  BOOST_TEST(ended.at("status").as_string() == "completed");
  BOOST_TEST(ended.at("resultType").as_string() == "complete");
  BOOST_TEST(ended.at("result").at("content").at(0).at("text").as_string() == "computed it");
  BOOST_TEST(ended.at("ttlMs").to_number<int64_t>() == 5'000 + 15 * 60'000);
  BOOST_TEST(ended.at("createdAt").as_string() < ended.at("lastUpdatedAt").as_string());
}

BOOST_AUTO_TEST_CASE(whoever_does_not_declare_the_extension_gets_no_task) {
  modern("tools/call", call_of("slow_compute", {{"seconds", 3}, {"label", "it"}}));
  BOOST_TEST(heard.empty());
  strand->advance(3 * second);
  BOOST_TEST(text_in_result(heard.back()) == "computed it");
  auto refused = modern("tools/call", call_of("failing_job"));
  BOOST_TEST(code_in(refused) == -32021);
  BOOST_TEST(refused.at("error")
               .at("data")
               .at("requiredCapabilities")
               .at("extensions")
               .at("io.modelcontextprotocol/tasks")
               .is_object());
  auto id = begin_slow(3);
  for (const auto* method : {"tasks/get", "tasks/update", "tasks/cancel"})
    BOOST_TEST(code_in(modern(method, {{"taskId", id}})) == -32021, method);
  json::object filter{{"notifications", {{"taskIds", json::array{json::string{id}}}}}};
  BOOST_TEST(code_in(modern("subscriptions/listen", filter)) == -32021);
  BOOST_TEST(status_of(id) == "working");
}

BOOST_AUTO_TEST_CASE(a_session_of_an_older_revision_has_no_tasks) {
  line_client::begin(with_tasks());
  BOOST_TEST(code_in(legacy("tasks/get", {{"taskId", "x"}})) == -32601);
  legacy("tools/call", call_of("slow_compute", {{"seconds", 1}, {"label", "it"}}));
  strand->advance(second);
  BOOST_TEST(text_in_result(heard.back()) == "computed it");
  auto begun = legacy("initialize", {{"protocolVersion", "2025-11-25"}}).at("result");
  BOOST_TEST(!begun.at("capabilities").as_object().contains("extensions"));
  auto found = modern("server/discover").at("result").at("capabilities").at("extensions");
  BOOST_TEST(found.at("io.modelcontextprotocol/tasks").is_object());
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_tool_completes_a_task_and_an_error_fails_it) {
  auto failed = begin("failing_job");
  auto broken = begin("protocol_error_job");
  strand->advance(second);
  BOOST_TEST(status_of(failed) == "completed");
  BOOST_TEST(state_of(failed).at("result").at("isError").as_bool());
  auto state = state_of(broken);
  BOOST_TEST(state.at("status").as_string() == "failed");
  BOOST_TEST(state.at("error").at("code").to_number<int>() == -32603);
  BOOST_TEST(state.at("statusMessage").as_string() == "the job broke");
  BOOST_TEST(!state.as_object().contains("result"));
}

BOOST_AUTO_TEST_CASE(a_cancelled_task_gets_no_result_and_is_cancelled_again_without_harm) {
  auto id = begin_slow(5);
  auto acknowledged = cancel(id).at("result").as_object();
  BOOST_TEST(acknowledged.at("resultType").as_string() == "complete");
  BOOST_TEST(!acknowledged.contains("taskId"));
  strand->advance(5 * second);
  auto state = state_of(id);
  BOOST_TEST(state.at("status").as_string() == "cancelled");
  BOOST_TEST(!state.as_object().contains("result"));
  BOOST_TEST(cancel(id).as_object().contains("result"));
  auto ended = begin_slow(1);
  strand->advance(second);
  BOOST_TEST(cancel(ended).as_object().contains("result"));
  BOOST_TEST(status_of(ended) == "completed");
}

BOOST_AUTO_TEST_CASE(the_id_of_the_request_is_free_while_the_task_works) {
  auto id = begin_slow(5);
  auto request = last_id;
  say(notice_of("notifications/cancelled", {{"requestId", request}}));
  BOOST_TEST(status_of(id) == "working");
  BOOST_TEST(
    hear(request_of(request, "tools/list", modern_params())).as_object().contains("result"));
  session->close(); // the client has gone; the task goes on
  strand->advance(5 * second);
  BOOST_TEST(status_of(id) == "completed");
}

BOOST_AUTO_TEST_CASE(a_task_waits_for_all_answers_and_ignores_those_to_no_question) {
  auto id = begin("multi_input");
  auto asked = state_of(id);
  BOOST_TEST(asked.at("status").as_string() == "input_required");
  BOOST_TEST(keys_in(asked) == "first second");
  BOOST_TEST(
    asked.at("inputRequests").at("first").at("method").as_string() == "elicitation/create");
  update(id, {{"first", says_name("ann")}, {"third", {{"ignored", true}}}});
  BOOST_TEST(keys_in(state_of(id)) == "second");
  update(id, {{"first", says_name("eve")}});
  BOOST_TEST(keys_in(state_of(id)) == "second");
  auto acknowledged = update(id, {{"second", says_name("bob")}}).at("result").as_object();
  BOOST_TEST(!acknowledged.contains("status"));
  BOOST_TEST(state_of(id).at("result").at("content").at(0).at("text").as_string() == "annbob");
  BOOST_TEST(update(id, {{"second", says_name("eve")}}).as_object().contains("result"));
}

BOOST_AUTO_TEST_CASE(an_answer_of_another_form_is_refused_with_all_that_come_with_it) {
  auto id = begin("multi_input");
  auto refused = update(id, {{"first", says_name("ann")}, {"second", {{"content", "bob"}}}});
  BOOST_TEST(code_in(refused) == -32602);
  BOOST_TEST(refused.at("error").at("message").as_string().starts_with("inputResponses.second"));
  BOOST_TEST(keys_in(state_of(id)) == "first second");
  BOOST_TEST(code_in(update(id, {{"first", 7}})) == -32602);
  BOOST_TEST(code_in(modern("tasks/update", {{"taskId", id}}, with_tasks())) == -32602);
}

BOOST_AUTO_TEST_CASE(no_two_questions_of_a_task_have_one_key) {
  auto id = begin("asks_under_one_name");
  BOOST_TEST(keys_in(state_of(id)) == "name name-2");
  update(id, {{"name-2", says_name("ann")}});
  BOOST_TEST(state_of(id).at("result").at("content").at(0).at("text").as_string() == "two is ann");
}

BOOST_AUTO_TEST_CASE(a_question_that_nobody_answers_fails_the_task_in_time) {
  auto id = begin("confirm_delete", {{"filename", "notes"}});
  strand->advance(std::chrono::minutes{9});
  BOOST_TEST(status_of(id) == "input_required");
  strand->advance(std::chrono::minutes{1});
  BOOST_TEST(status_of(id) == "failed");
}

BOOST_AUTO_TEST_CASE(a_client_that_cannot_ask_its_user_has_a_failed_task) {
  json::object only_tasks{{"extensions", {{"io.modelcontextprotocol/tasks", json::object{}}}}};
  auto begun = modern("tools/call", call_of("confirm_delete"), only_tasks).at("result");
  auto state = state_of(std::string{begun.at("taskId").as_string()});
  BOOST_TEST(state.at("error").at("code").to_number<int>() == -32021);
}

BOOST_AUTO_TEST_CASE(what_is_asked_before_a_task_begins_is_asked_in_rounds) {
  auto first = call("test_tool_with_task").at("result").as_object();
  BOOST_TEST(first.at("resultType").as_string() == "input_required");
  BOOST_TEST(!first.contains("taskId"));
  auto params = call_of("test_tool_with_task");
  params["inputResponses"] = json::object{{"user_name", says_name("Alice")}};
  auto begun = modern("tools/call", params, with_tasks()).at("result").as_object();
  BOOST_TEST(begun.at("resultType").as_string() == "task");
  BOOST_TEST(!begun.contains("requestState"));
  strand->advance(second);
  auto state = state_of(std::string{begun.at("taskId").as_string()});
  BOOST_TEST(state.at("result").at("content").at(0).at("text").as_string() == "Hello, Alice");
}

BOOST_AUTO_TEST_CASE(a_task_is_forgotten_some_time_after_its_end_and_not_before) {
  auto id = begin_slow(3'600);
  strand->advance(std::chrono::hours{1});
  BOOST_TEST(status_of(id) == "completed");
  strand->advance(mcp::task_limits::kept - second);
  BOOST_TEST(status_of(id) == "completed");
  strand->advance(second);
  BOOST_TEST(code_in(ask_for(id)) == -32602);
  BOOST_TEST(code_in(cancel(id)) == -32602);
  BOOST_TEST(code_in(update(id, {})) == -32602);
}

BOOST_AUTO_TEST_CASE(without_room_for_another_task_a_call_is_answered_as_if_there_were_none) {
  task_client few{mcp::server_config{.max_tasks_of_client = 1}};
  auto id = few.begin_slow(1);
  few.call("slow_compute", {{"seconds", 1}, {"label", "that"}});
  BOOST_TEST(few.heard.empty());
  few.strand->advance(second);
  BOOST_TEST(text_in_result(few.heard.back()) == "computed that");
  few.strand->advance(mcp::task_limits::kept);
  BOOST_TEST(code_in(few.ask_for(id)) == -32602);
  few.begin_slow(1);
}

BOOST_AUTO_TEST_CASE(a_result_that_is_too_long_to_keep_fails_the_task) {
  auto id = begin("long_result");
  strand->advance(second);
  auto state = state_of(id);
  BOOST_TEST(state.at("status").as_string() == "failed");
  BOOST_TEST(state.at("error").at("message").as_string().starts_with("the result is too long"));
}

BOOST_AUTO_TEST_CASE(whoever_listens_to_a_task_hears_its_state_and_each_change) {
  auto id = begin("confirm_delete", {{"filename", "notes"}});
  listen_to({json::string{id}, "unknown"});
  BOOST_TEST(methods_in(heard) == "notifications/subscriptions/acknowledged notifications/tasks");
  auto agreed = heard[0].at("params").at("notifications").at("taskIds").as_array();
  BOOST_TEST(agreed.size() == 1u);
  BOOST_TEST(statuses_in(heard) == "input_required");
  BOOST_TEST(heard[1].at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId")
             == json::value(last_id));
  auto listening = last_id;
  update(id, {{"confirm", {{"action", "accept"}, {"content", {{"confirm", true}}}}}});
  BOOST_TEST(statuses_in(heard) == "working completed");
  BOOST_TEST(heard[1].at("params").at("result").at("content").at(0).at("text").as_string()
             == "deleted notes");
  auto other = begin_slow(1);
  heard.clear();
  strand->advance(second);
  BOOST_TEST(heard.empty());
  say(notice_of("notifications/cancelled", {{"requestId", listening}}));
  BOOST_TEST(listen_to({"unknown"}).as_object().contains("result"));
  BOOST_TEST(code_in(listen_to({7})) == -32602);
}

BOOST_AUTO_TEST_CASE(who_listens_hears_of_a_result_that_is_deeper_than_a_request) {
  task_client deep{{}, std::make_shared<deep_results>()};
  auto id = deep.begin("slow_compute");
  deep.listen_to({json::string{id}});
  deep.heard.clear();
  deep.strand->advance(second);
  BOOST_TEST(statuses_in(deep.heard) == "completed");
  BOOST_TEST(deep.status_of(id) == "completed");
}

BOOST_AUTO_TEST_CASE(a_task_is_known_to_the_client_alone_that_began_it) {
  auto table = std::make_shared<mcp::task_table>(mcp::task_table::setup{strand, second});
  principal ann{as_user("ann"), "main"};
  auto one = table->begin(ann);
  BOOST_TEST(one->id().size() >= 32u);
  BOOST_TEST((table->find(one->id(), ann) == one));
  principal bob{as_user("bob"), "main"}, tool{as_daemon("ann"), "main"}, elsewhere{ann};
  elsewhere.agent_id = "other";
  for (const auto& other : {bob, tool, elsewhere})
    BOOST_TEST(!table->find(one->id(), other));
  BOOST_TEST(table->begin(ann)->id() != one->id());
}

BOOST_AUTO_TEST_CASE(results_that_are_kept_have_a_limit_for_each_client_and_together) {
  using limits = mcp::task_limits;
  auto table = std::make_shared<mcp::task_table>(mcp::task_table::setup{strand, second});
  std::string long_result(limits::result_bytes, ' ');
  auto complete = [&](const std::string& user) {
    auto one = table->begin({as_user(user), "main"});
    one->complete(long_result);
    return one->status();
  };
  constexpr auto clients = limits::all_result_bytes / limits::client_result_bytes;
  for (size_t client = 0; client < clients; ++client) {
    auto user = "user_" + std::to_string(client);
    for (size_t i = 0; i < limits::client_result_bytes / limits::result_bytes; ++i)
      BOOST_TEST((complete(user) == mcp::task_status::completed));
    BOOST_TEST((complete(user) == mcp::task_status::failed), user);
  }
  BOOST_TEST((complete("ann") == mcp::task_status::failed));
  strand->advance(limits::kept);
  BOOST_TEST(table->size() == 0u);
  BOOST_TEST((complete("ann") == mcp::task_status::completed));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(mcp_tasks_over_http, endpoint_client)

BOOST_AUTO_TEST_CASE(a_task_outlives_the_connection_on_which_it_began) {
  auto begun = modern(
    "tools/call", call_of("slow_compute", {{"seconds", 20}, {"label", "it"}}), {}, with_tasks());
  auto result = begun->answer().at("result");
  BOOST_TEST(result.at("resultType").as_string() == "task");
  if (begun->gone)
    begun->gone();
  strand->advance(20 * second);
  std::string id{result.at("taskId").as_string()};
  auto state = modern("tasks/get", {{"taskId", id}}, {{"mcp-name", id}}, with_tasks());
  BOOST_TEST(state->answer().at("result").at("status").as_string() == "completed");
  auto wrong = modern("tasks/get", {{"taskId", id}}, {{"mcp-name", "another"}}, with_tasks());
  BOOST_TEST(wrong->status() == 400u);
  BOOST_TEST(code_in(wrong->answer()) == -32020);
  auto missing = modern("tasks/get", {{"taskId", id}}, {{"mcp-name", id}});
  BOOST_TEST(missing->status() == 400u);
  BOOST_TEST(code_in(missing->answer()) == -32021);
  who.by = as_daemon("another");
  auto others = modern("tasks/get", {{"taskId", id}}, {{"mcp-name", id}}, with_tasks());
  BOOST_TEST(code_in(others->answer()) == -32602);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
