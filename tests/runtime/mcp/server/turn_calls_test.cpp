#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/mcp/server/agent_provider.hpp"
#include "scratchpage/tests/runtime/mcp/server/line_client.hpp"

/// Turns that an MCP client begins: as tasks, and with questions for consent.

namespace scratchpage::test {

namespace {

constexpr auto a_second = std::chrono::seconds{1};

/// Operations that answer when the test says so.
struct open_operations {
  struct open_call {
    principal who;
    std::string name;
    json::object arguments;
    on_answer then;
  };

  perform_operation run() {
    return [this](const principal& who, std::string name, json::object arguments, on_answer then) {
      calls.push_back({who, std::move(name), std::move(arguments), std::move(then)});
    };
  }

  /// Answers the call that came last.
  void answer(caf::expected<std::string> x) {
    std::exchange(calls.back().then, nullptr)(std::move(x));
  }
  void answer(const json::object& x) { answer(to_text(json::value(x))); }

  /// The names of the operations, in order.
  std::string asked() const {
    std::string result;
    for (const auto& x : calls)
      result.append(result.empty() ? "" : " ").append(x.name);
    return result;
  }

  std::vector<open_call> calls;
};

/// As whom the answers of the user of "tester" count.
mcp::person_at owner() {
  return [](const principal& client, const std::string&) -> std::optional<principal> {
    auto result = client;
    result.by = as_admin("ann");
    return result;
  };
}

struct turn_client : open_operations, line_client {
  explicit turn_client(mcp::person_at person = owner())
    : line_client{std::make_shared<mcp::agent_provider>(run(), nullptr, std::move(person))} {}

  ~turn_client() {
    for (auto& x : calls)
      x.then = nullptr;
  }

  json::value begin_turn(json::object can, json::object more = {}) {
    more["input"] = "Pay the rent";
    return modern("tools/call", call_of("begin_turn", std::move(more)), std::move(can));
  }

  json::value state_of(const std::string& id, json::object can) {
    return modern("tasks/get", {{"taskId", id}}, std::move(can)).at("result");
  }
};

const json::object tasks{{"extensions", {{"io.modelcontextprotocol/tasks", json::object{}}}}};
const json::object forms{{"elicitation", json::object{}}};
const json::object forms_and_tasks{{"elicitation", json::object{}},
  {"extensions", {{"io.modelcontextprotocol/tasks", json::object{}}}}};

json::object turn(const char* status) {
  return {{"turn_id", "turn_1"}, {"status", status}, {"response", "Working on it."}};
}

json::object question_to(const std::string& user, const std::string& id = "obs_1") {
  json::object call{{"call_id", "c1"}, {"tool_id", "pay"}, {"inputs", {{"amount", 100}}}};
  json::object metadata{{"consent_for", "pay"}, {"consent_of", user}, {"tool_id", "pay"},
    {"call_id", "c1"}, {"call", call}};
  return {{"observation_id", id}, {"type", "pending_confirmation"},
    {"content", "Allow pay with {\"amount\":100}? Reason: payments"},
    {"source", {{"daemon", "executor"}, {"turn_id", "turn_1"}}}, {"status", "active"},
    {"confidence", 0.99}, {"created_at", "2025-11-05T10:30:00Z"},
    {"updated_at", "2025-11-05T10:30:00Z"}, {"expires_at", "2025-11-05T11:30:00Z"},
    {"ttl_minutes", 60}, {"context", {{"thread_id", "trip"}}}, {"metadata", metadata}};
}

json::object turn_that_asks(const char* status = "waiting", const std::string& user = "ann") {
  auto result = turn(status);
  result["observations"] = json::array{question_to(user)};
  return result;
}

json::object chooses(const char* what) {
  return {{"action", "accept"}, {"content", {{"answer", what}}}};
}

const json::value& structure_of(const json::value& result) {
  return result.at("structuredContent");
}

std::string outcome_in(const json::value& result) {
  return std::string{structure_of(result).at("consents").at(0).at("answer").as_string()};
}

} // namespace

// -- tasks --------------------------------------------------------------------------------

BOOST_FIXTURE_TEST_SUITE(mcp_turn_tasks, turn_client)

BOOST_AUTO_TEST_CASE(a_turn_that_takes_long_becomes_a_task_with_the_turns_result) {
  begin_turn(tasks);
  strand->advance(a_second - std::chrono::milliseconds{1});
  BOOST_TEST(heard.empty());
  strand->advance(std::chrono::milliseconds{1});
  BOOST_REQUIRE(heard.size() == 1u);
  std::string id{heard[0].at("result").at("taskId").as_string()};
  BOOST_TEST(state_of(id, tasks).at("status").as_string() == "working");
  answer(turn("complete"));
  auto state = state_of(id, tasks);
  BOOST_TEST(state.at("status").as_string() == "completed");
  BOOST_TEST(structure_of(state.at("result")).at("turn_id").as_string() == "turn_1");
  BOOST_TEST(asked() == "begin_turn");
}

BOOST_AUTO_TEST_CASE(a_turn_that_is_quick_is_answered_at_once) {
  begin_turn(tasks);
  answer(turn("complete"));
  BOOST_TEST(heard.back().at("result").at("resultType").as_string() == "complete");
  strand->advance(10 * a_second);
  BOOST_TEST(heard.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_client_without_tasks_waits_as_ever) {
  begin_turn({});
  strand->advance(60 * a_second);
  BOOST_TEST(heard.empty());
  answer(turn("background"));
  BOOST_TEST(structure_of(heard.back().at("result")).at("status").as_string() == "background");
  BOOST_TEST(asked() == "begin_turn");
}

BOOST_AUTO_TEST_CASE(a_turn_in_the_background_is_a_task_until_its_end) {
  begin_turn(tasks, {{"mode", "background"}});
  answer(turn("background"));
  auto begun = heard.back().at("result");
  BOOST_TEST(begun.at("resultType").as_string() == "task");
  BOOST_TEST(begun.at("statusMessage").as_string() == "The turn turn_1 is at work.");
  std::string id{begun.at("taskId").as_string()};
  BOOST_TEST(calls.back().name == "await_turn");
  BOOST_TEST(calls.back().arguments.at("turn_id").as_string() == "turn_1");
  answer(fail(errc::deadline_exceeded, "turn_id", "expected the turn to end in time"));
  BOOST_TEST(asked() == "begin_turn await_turn await_turn");
  BOOST_TEST(state_of(id, tasks).at("status").as_string() == "working");
  answer(turn("complete"));
  auto result = state_of(id, tasks).at("result");
  BOOST_TEST(structure_of(result).at("status").as_string() == "complete");
}

BOOST_AUTO_TEST_CASE(a_turn_that_is_refused_completes_its_task_with_the_reason) {
  begin_turn(tasks);
  strand->advance(a_second);
  std::string id{heard[0].at("result").at("taskId").as_string()};
  answer(fail(errc::overloaded, "turn_id", "expected fewer"));
  auto state = state_of(id, tasks);
  BOOST_TEST(state.at("status").as_string() == "completed");
  BOOST_TEST(state.at("result").at("isError").as_bool());
}

BOOST_AUTO_TEST_CASE(a_turn_whose_task_is_cancelled_is_not_held_and_leaves_no_result) {
  begin_turn(tasks, {{"hold", true}});
  strand->advance(a_second);
  std::string id{heard[0].at("result").at("taskId").as_string()};
  modern("tasks/cancel", {{"taskId", id}}, tasks);
  auto state = state_of(id, tasks);
  BOOST_TEST(state.at("status").as_string() == "cancelled");
  BOOST_TEST(state.at("statusMessage").as_string().starts_with("The client has cancelled."));
  answer(turn("held"));
  BOOST_TEST(asked() == "begin_turn end_turn");
  BOOST_TEST(calls.back().arguments.at("turn_id").as_string() == "turn_1");
  BOOST_TEST(!state_of(id, tasks).as_object().contains("result"));
}

BOOST_AUTO_TEST_CASE(a_held_turn_that_nobody_cancelled_stays_held) {
  begin_turn(tasks, {{"hold", true}});
  strand->advance(a_second);
  std::string id{heard[0].at("result").at("taskId").as_string()};
  answer(turn("held"));
  BOOST_TEST(structure_of(state_of(id, tasks).at("result")).at("status").as_string() == "held");
  BOOST_TEST(asked() == "begin_turn");
}

BOOST_AUTO_TEST_SUITE_END()

// -- consent ------------------------------------------------------------------------------

BOOST_FIXTURE_TEST_SUITE(mcp_consent, turn_client)

BOOST_AUTO_TEST_CASE(a_person_who_agrees_answers_the_question_in_a_turn_of_their_own) {
  begin_turn(forms);
  answer(turn_that_asks());
  auto asks = heard.back().at("result");
  BOOST_TEST(asks.at("resultType").as_string() == "input_required");
  auto form = asks.at("inputRequests").at("obs_1").at("params");
  BOOST_TEST(
    form.at("message").as_string().find("Allow pay with {\"amount\":100}?") != json::string::npos);
  auto schema = form.at("requestedSchema").at("properties").at("answer");
  BOOST_TEST(schema.at("enum").at(0).as_string() == "No");
  BOOST_TEST(!schema.as_object().contains("default"));
  auto again = call_of("begin_turn", {{"input", "Pay the rent"}});
  again["requestState"] = asks.at("requestState");
  again["inputResponses"] = json::object{{"obs_1", chooses("Yes, once")}};
  modern("tools/call", again, forms);
  BOOST_TEST(asked() == "begin_turn await_turn"); // no other turn begins
  answer(turn_that_asks());
  BOOST_TEST(calls.back().name == "begin_turn");
  BOOST_TEST(calls.back().who.by.name == "ann");
  BOOST_TEST(is_owner(calls.back().who.by));
  const auto& answered = calls.back().arguments;
  BOOST_TEST(answered.at("thread_id").as_string() == "trip");
  BOOST_TEST(to_text(answered.at("context"))
             == R"({"channel":"elicitation","client":"tester","confirms":["obs_1"]})");
  answer(json::object{{"turn_id", "turn_2"}, {"status", "complete"}});
  auto result = heard.back().at("result");
  BOOST_TEST(result.at("resultType").as_string() == "complete");
  BOOST_TEST(outcome_in(result) == "yes_once");
  BOOST_TEST(structure_of(result).at("turn_id").as_string() == "turn_1");
  BOOST_TEST(structure_of(result).at("consent_turn").at("turn_id").as_string() == "turn_2");
}

BOOST_AUTO_TEST_CASE(a_task_waits_for_the_person_and_has_the_result_of_both_turns) {
  begin_turn(forms_and_tasks);
  strand->advance(a_second);
  std::string id{heard[0].at("result").at("taskId").as_string()};
  answer(turn_that_asks());
  auto state = state_of(id, forms_and_tasks);
  BOOST_TEST(state.at("status").as_string() == "input_required");
  json::object given{{"taskId", id}, {"inputResponses", {{"obs_1", chooses("No")}}}};
  modern("tasks/update", given, forms_and_tasks);
  BOOST_TEST(to_text(calls.back().arguments.at("context"))
             == R"({"channel":"elicitation","client":"tester","declines":["obs_1"]})");
  answer(json::object{{"turn_id", "turn_2"}, {"status", "complete"}});
  BOOST_TEST(outcome_in(state_of(id, forms_and_tasks).at("result")) == "no");
}

BOOST_AUTO_TEST_CASE(a_client_of_an_older_revision_is_asked_during_its_call) {
  line_client::begin({{"elicitation", json::object{}}});
  legacy("tools/call", call_of("begin_turn", {{"input", "Pay"}}));
  answer(turn_that_asks());
  auto asks = heard.back();
  BOOST_TEST(method_in(asks) == "elicitation/create");
  say(json::object{{"jsonrpc", "2.0"}, {"id", asks.at("id")}, {"result", chooses("Yes, once")}});
  BOOST_TEST(calls.back().arguments.at("context").as_object().contains("confirms"));
  answer(json::object{{"turn_id", "turn_2"}});
  BOOST_TEST(outcome_in(heard.back().at("result")) == "yes_once");
}

BOOST_AUTO_TEST_CASE(whatever_is_no_clear_answer_leaves_the_question_on_the_page) {
  line_client::begin({{"elicitation", json::object{}}});
  auto number = 0;
  auto asked_with = [&](const json::object& reply) {
    auto asks = turn("waiting");
    asks["observations"] = json::array{question_to("ann", "obs_" + std::to_string(++number))};
    legacy("tools/call", call_of("begin_turn", {{"input", "Pay"}}));
    answer(asks);
    json::object message{{"jsonrpc", "2.0"}, {"id", heard.back().at("id")}};
    message.insert(reply.begin(), reply.end());
    say(message);
    return outcome_in(heard.back().at("result"));
  };
  const json::array unclear{json::object{{"result", {{"action", "decline"}}}},
    json::object{{"result", {{"action", "cancel"}}}},
    json::object{{"result", {{"action", "accept"}, {"content", json::object{}}}}},
    json::object{{"result", chooses("yes")}}, json::object{{"result", chooses("No, Yes, once")}},
    json::object{{"result", {{"action", "accept"}, {"content", {{"answer", true}}}}}},
    json::object{{"result", {{"content", {{"answer", "Yes, once"}}}}}},
    json::object{{"result", "Yes, once"}},
    json::object{{"error", {{"code", -1}, {"message", "Yes, once"}}}}};
  for (const auto& x : unclear)
    BOOST_TEST(asked_with(x.as_object()) == "none", to_text(x));
  BOOST_TEST(calls.size() == unclear.size()); // the turns of the client, and no others
}

BOOST_AUTO_TEST_CASE(a_person_who_does_not_answer_in_time_has_answered_nothing) {
  line_client::begin({{"elicitation", json::object{}}});
  legacy("tools/call", call_of("begin_turn", {{"input", "Pay"}}));
  answer(turn_that_asks());
  auto asks = heard.back();
  strand->advance(std::chrono::minutes{10});
  BOOST_TEST(outcome_in(heard.back().at("result")) == "none");
  say(json::object{{"jsonrpc", "2.0"}, {"id", asks.at("id")}, {"result", chooses("Yes, once")}});
  BOOST_TEST(asked() == "begin_turn");
}

BOOST_AUTO_TEST_CASE(a_retry_without_an_answer_is_not_asked_again) {
  begin_turn(forms);
  answer(turn_that_asks());
  auto again = call_of("begin_turn", {{"input", "Pay the rent"}});
  again["requestState"] = heard.back().at("result").at("requestState");
  modern("tools/call", again, forms);
  answer(turn_that_asks());
  BOOST_TEST(outcome_in(heard.back().at("result")) == "none");
  BOOST_TEST(asked() == "begin_turn await_turn");
}

BOOST_AUTO_TEST_CASE(nothing_is_asked_twice) {
  begin_turn(forms);
  answer(turn_that_asks("held"));
  BOOST_TEST(heard.back().at("result").at("resultType").as_string() == "input_required");
  modern("tools/call", call_of("end_turn", {{"turn_id", "turn_1"}}), forms);
  answer(turn_that_asks());
  auto result = heard.back().at("result");
  BOOST_TEST(result.at("resultType").as_string() == "complete");
  BOOST_TEST(!structure_of(result).as_object().contains("consents"));
}

BOOST_AUTO_TEST_CASE(a_turn_that_is_held_is_not_waited_for_after_the_answer) {
  begin_turn(forms, {{"hold", true}});
  answer(turn_that_asks("held"));
  auto again = call_of("begin_turn", {{"hold", true}, {"input", "Pay the rent"}});
  again["requestState"] = heard.back().at("result").at("requestState");
  again["inputResponses"] = json::object{{"obs_1", chooses("Yes, once")}};
  modern("tools/call", again, forms);
  BOOST_TEST(asked() == "begin_turn begin_turn");
  answer(json::object{{"turn_id", "turn_2"}});
  auto result = structure_of(heard.back().at("result"));
  BOOST_TEST(result.at("status").as_string() == "held");
  BOOST_TEST(result.at("turn_id").as_string() == "turn_1");
}

BOOST_AUTO_TEST_CASE(an_answer_counts_though_the_result_of_the_turn_is_not_kept_any_more) {
  begin_turn(forms);
  answer(turn_that_asks());
  auto again = call_of("begin_turn", {{"input", "Pay the rent"}});
  again["requestState"] = heard.back().at("result").at("requestState");
  again["inputResponses"] = json::object{{"obs_1", chooses("Yes, once")}};
  modern("tools/call", again, forms);
  answer(fail(errc::not_found, "turn_id", "expected a turn whose result is kept"));
  BOOST_TEST(calls.back().arguments.at("context").as_object().contains("confirms"));
  answer(json::object{{"turn_id", "turn_2"}});
  BOOST_TEST(structure_of(heard.back().at("result")).at("turn_id").as_string() == "turn_1");
}

BOOST_AUTO_TEST_CASE(a_turn_whose_task_is_cancelled_at_the_question_is_not_held) {
  begin_turn(forms_and_tasks, {{"hold", true}});
  strand->advance(a_second);
  std::string id{heard[0].at("result").at("taskId").as_string()};
  answer(turn_that_asks("held"));
  modern("tasks/cancel", {{"taskId", id}}, forms_and_tasks);
  BOOST_TEST(asked() == "begin_turn end_turn");
  BOOST_TEST(state_of(id, forms_and_tasks).at("status").as_string() == "cancelled");
}

BOOST_AUTO_TEST_CASE(a_state_that_was_given_for_another_call_or_was_altered_is_refused) {
  begin_turn(forms);
  answer(turn_that_asks());
  std::string state{heard.back().at("result").at("requestState").as_string()};
  auto again = call_of("begin_turn", {{"input", "Pay twice the rent"}});
  again["requestState"] = state;
  again["inputResponses"] = json::object{{"obs_1", chooses("Yes, once")}};
  BOOST_TEST(code_in(modern("tools/call", again, forms)) == -32602);
  again["arguments"] = json::object{{"input", "Pay the rent"}};
  again["requestState"] = "A" + state;
  BOOST_TEST(code_in(modern("tools/call", again, forms)) == -32602);
  BOOST_TEST(asked() == "begin_turn");
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_a_question_for_consent_is_not_asked) {
  auto check = [&](json::object asked_by_another) {
    auto result = turn("waiting");
    result["observations"] = json::array{std::move(asked_by_another)};
    begin_turn(forms);
    answer(result);
    BOOST_TEST(heard.back().at("result").at("resultType").as_string() == "complete");
  };
  auto forged = question_to("ann", "obs_2");
  forged["source"] = json::object{{"daemon", "tester"}};
  check(forged);
  auto settled = question_to("ann", "obs_3");
  settled["status"] = "resolved";
  check(settled);
  auto long_one = question_to("ann", "obs_4");
  long_one["content"] = std::string(mcp::elicitation_limits::message_bytes + 1, 'x');
  check(long_one);
}

BOOST_AUTO_TEST_CASE(a_client_that_shows_no_forms_is_not_asked) {
  for (const auto& can : {json::object{}, json::object{{"elicitation", {{"url", json::object{}}}}},
         json::object{{"sampling", json::object{}}}}) {
    begin_turn(can);
    answer(turn_that_asks());
    BOOST_TEST(heard.back().at("result").at("resultType").as_string() == "complete");
  }
  line_client::begin({{"elicitation", {{"url", json::object{}}}}});
  legacy("tools/call", call_of("begin_turn", {{"input", "Pay"}}));
  answer(turn_that_asks());
  BOOST_TEST(heard.back().as_object().contains("result"));
}

BOOST_AUTO_TEST_CASE(a_client_whose_answers_are_no_persons_word_is_not_asked) {
  turn_client agent{[](const principal&, const std::string&) { return std::nullopt; }};
  turn_client nobody{nullptr};
  for (auto* one : {&agent, &nobody}) {
    one->begin_turn(forms);
    one->answer(turn_that_asks());
    BOOST_TEST(one->heard.back().at("result").at("resultType").as_string() == "complete");
  }
}

BOOST_AUTO_TEST_CASE(only_so_many_questions_of_a_turn_are_asked) {
  auto asks = turn("waiting");
  auto& all = asks["observations"].emplace_array();
  for (size_t i = 0; i <= mcp::elicitation_limits::of_turn; ++i)
    all.push_back(question_to("ann", "obs_" + std::to_string(i)));
  begin_turn(forms);
  answer(asks);
  auto requests = heard.back().at("result").at("inputRequests").as_object();
  BOOST_TEST(requests.size() == mcp::elicitation_limits::of_turn);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
