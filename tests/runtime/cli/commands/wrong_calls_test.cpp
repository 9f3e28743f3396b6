#include <array>
#include <map>
#include <string>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// Calls of tools as models make them that have not read the definitions well. The answer to each
/// is enough to call again rightly. `scratchpage mcp` is asked.

namespace scratchpage::test {

namespace {

/// A wrong call, what its answer says, and the call that follows from the answer.
struct wrong_call {
  const char* what;
  const char* tool;
  const char* arguments;
  std::vector<const char*> answer;
  const char* better_tool;
  const char* better;
};

constexpr auto good_note = R"({"type": "observation", "content": "Smoke"})";

const std::vector<wrong_call>& wrong_calls() {
  static const std::vector<wrong_call> all{
    // -- types
    {"a note", "add_observation", R"({"type": "note", "content": "Smoke"})",
      {"unknown_type: type", "did you mean observation?", "You may add: action_suggestion"},
      "add_observation", good_note},
    {"a preference", "add_observation", R"({"type": "preference", "content": "Ann likes tea"})",
      {"did you mean contextual_insight?", "call remember"}, "remember",
      R"({"text": "Ann likes tea"})"},
    {"a todo", "add_observation", R"({"type": "todo", "content": "Call Ann"})",
      {"action_suggestion or reminder", "call scratch_add"}, "scratch_add",
      R"({"kind": "todo", "title": "Call Ann"})"},
    {"a warning", "add_observation", R"({"type": "warning", "content": "Smoke"})",
      {"did you mean alert or risk_alert?"}, "add_observation",
      R"({"type": "alert", "content": "Smoke"})"},
    {"a question", "add_observation", R"({"type": "question", "content": "Which room?"})",
      {"did you mean pending_confirmation?"}, "add_observation",
      R"({"type": "pending_confirmation", "content": "Which room?"})"},
    // -- nesting
    {"wrapped in observation", "add_observation",
      R"({"observation": {"type": "observation", "content": "Smoke"}})",
      {"observation: unknown field", "give its members directly, without observation"},
      "add_observation", good_note},
    {"wrapped in arguments", "query_observations", R"({"arguments": {"query": "smoke"}})",
      {"arguments: unknown field", "give its members directly"}, "query_observations",
      R"({"query": "smoke"})"},
    {"all in metadata", "add_observation",
      R"({"metadata": {"type": "observation", "content": "Smoke"}})",
      {"type: expected a value; it is required", "it is in metadata, but belongs beside it"},
      "add_observation", good_note},
    {"changes not in changes", "update_observation",
      R"({"observation_id": "ID", "status": "resolved"})",
      {"status: unknown field", "put it into changes", R"({"changes": {"status": …}})"},
      "update_observation", R"({"observation_id": "ID", "changes": {"status": "pending_review"}})"},
    {"one member in both forms", "query_observations", R"({"limit": 3, "metadata": {"limit": 5}})",
      {"limit: expected it once"}, "query_observations", R"({"limit": 3})"},
    // -- names
    {"text for content", "add_observation", R"({"type": "observation", "text": "Smoke"})",
      {"text: unknown field", "did you mean content?", "needs type, content"}, "add_observation",
      good_note},
    {"message for content", "add_observation", R"({"type": "alert", "message": "Smoke"})",
      {"did you mean content?"}, "add_observation", good_note},
    {"kind for type", "add_observation", R"({"kind": "observation", "content": "Smoke"})",
      {"kind: unknown field", "did you mean type?"}, "add_observation", good_note},
    {"id for observation_id", "get_observation", R"({"id": "ID"})",
      {"id: unknown field", "did you mean observation_id?"}, "get_observation",
      R"({"observation_id": "ID"})"},
    {"tag for tags", "query_observations", R"({"tag": "smoke"})", {"did you mean tags?"},
      "query_observations", R"({"tags": ["smoke"]})"},
    {"ttl for ttl_minutes", "add_observation",
      R"({"type": "observation", "content": "Smoke", "ttl": 5})", {"did you mean ttl_minutes?"},
      "add_observation", R"({"type": "observation", "content": "Smoke", "ttl_minutes": 5})"},
    {"max_results for limit", "query_observations", R"({"query": "smoke", "max_results": 3})",
      {"did you mean limit?"}, "query_observations", R"({"query": "smoke", "limit": 3})"},
    {"query for prompt", "assemble_context", R"({"query": "smoke"})", {"did you mean prompt?"},
      "assemble_context", R"({"prompt": "smoke"})"},
    {"content for text", "remember", R"({"content": "Ann lives in Oslo"})",
      {"content: unknown field", "did you mean text?"}, "remember",
      R"({"text": "Ann lives in Oslo"})"},
    {"letters exchanged", "add_observation", R"({"type": "observation", "cotnent": "Smoke"})",
      {"did you mean content?"}, "add_observation", good_note},
    {"camelCase", "get_observation", R"({"observationId": "ID"})", {"did you mean observation_id?"},
      "get_observation", R"({"observation_id": "ID"})"},
    {"note for title", "scratch_add", R"({"kind": "note", "name": "Call Ann"})",
      {"name: unknown field", "did you mean title?", "needs kind, title"}, "scratch_add",
      R"({"kind": "note", "title": "Call Ann"})"},
    // -- values
    {"tags in one text", "add_observation",
      R"({"type": "observation", "content": "Smoke", "tags": "smoke, cellar"})",
      {"tags: expected a list", R"(["smoke","server_room"])"}, "add_observation",
      R"({"type": "observation", "content": "Smoke", "tags": ["smoke", "cellar"]})"},
    {"tags in one text of a query", "query_observations", R"({"tags": "smoke, cellar"})",
      {"tags: expected a list"}, "query_observations", R"({"tags": ["smoke", "cellar"]})"},
    {"confidence in words", "add_observation",
      R"({"type": "observation", "content": "Smoke", "confidence": "high"})",
      {"confidence: expected a number", "such as 0.95"}, "add_observation",
      R"({"type": "observation", "content": "Smoke", "confidence": 0.95})"},
    {"confidence as a text", "add_observation",
      R"({"type": "observation", "content": "Smoke", "confidence": "0.9"})",
      {"confidence: expected a number", "without quotation marks"}, "add_observation",
      R"({"type": "observation", "content": "Smoke", "confidence": 0.9})"},
    {"a limit as a text", "recall", R"({"query": "smoke", "limit": "5"})",
      {"limit: expected a whole number", "without quotation marks"}, "recall",
      R"({"query": "smoke", "limit": 5})"},
    {"null for what is needed", "add_observation", R"({"type": "observation", "content": null})",
      {"content: expected a value; it is required", R"(such as "Smoke in the server room")"},
      "add_observation", good_note},
    {"a date in words", "query_episodes", R"({"after": "yesterday"})",
      {"after: expected a date and time", "2025-11-05T10:30:00Z"}, "query_episodes",
      R"({"after": "2025-11-05T10:30:00Z"})"},
    {"a goal that is done", "goal_update", R"({"goal_id": "GOAL", "status": "done"})",
      {"status: expected one of pending", "did you mean completed?"}, "goal_update",
      R"({"goal_id": "GOAL", "status": "completed"})"},
    {"an item that is finished", "scratch_update", R"({"id": "s1", "status": "finished"})",
      {"status: expected one of open", "did you mean done?"}, "scratch_update",
      R"({"id": "s1", "status": "done"})"},
    // -- what is not there
    {"an unknown observation", "update_observation",
      R"({"observation_id": "obs_20200101_001", "changes": {"confidence": 1}})",
      {"not_found: observation_id", "Call query_observations"}, "query_observations", "{}"},
    {"an unknown item", "scratch_complete", R"({"id": "s99"})",
      {"not_found: id", "Call scratch_read"}, "scratch_read", "{}"},
    {"an unknown goal", "goal_update", R"({"goal_id": "goal_99", "progress": 1})",
      {"not_found: goal_id", "Call goals_list"}, "goals_list", "{}"},
    {"back from resolved", "update_observation",
      R"({"observation_id": "DONE", "changes": {"status": "active"}})",
      {"invalid_transition: status: resolved cannot become active, only archived"},
      "update_observation", R"({"observation_id": "DONE", "changes": {"status": "archived"}})"},
  };
  return all;
}

struct served_calls : shell {
  /// The results of calls of tools, one after the other, by one client.
  std::vector<json::value> call(const std::vector<std::pair<std::string, std::string>>& calls,
    const std::string& set = "full") {
    input.clear();
    for (size_t i = 0; i < calls.size(); ++i)
      input += R"({"jsonrpc":"2.0","id":)" + std::to_string(i)
               + R"(,"method":"tools/call","params":{"name":")" + calls[i].first
               + R"(","arguments":)" + calls[i].second + "}}\n";
    BOOST_REQUIRE_MESSAGE(run_plain({"mcp", "--data", data(), "--tools", set}) == 0, err);
    std::vector<json::value> result(calls.size());
    for (const auto& x : answers())
      result.at(x.at("id").to_number<size_t>()) = x;
    return result;
  }

  std::string id_in(const json::value& answer, const char* member) {
    return std::string{answer.at("result").at("structuredContent").at(member).as_string()};
  }

  /// Puts ids of what there is in place of their names.
  std::string with_ids(std::string arguments) const {
    for (const auto& [name, id] : ids)
      if (auto at = arguments.find('"' + name + '"'); at != std::string::npos)
        arguments.replace(at + 1, name.size(), id);
    return arguments;
  }

  void prepare() {
    auto made = call({{"add_observation", good_note}, {"create_goal", R"({"title": "No smoke"})"},
      {"add_observation", R"({"type": "alert", "content": "Fire"})"},
      {"scratch_add", R"({"kind": "todo", "title": "Call the fire brigade"})"}});
    ids = {{"ID", id_in(made[0], "observation_id")}, {"GOAL", id_in(made[1], "goal_id")},
      {"DONE", id_in(made[2], "observation_id")}};
    call({{"update_observation",
      with_ids(R"({"observation_id": "DONE", "changes": {"status": "resolved"}})")}});
  }

  std::map<std::string, std::string> ids;
};

std::string text_of(const json::value& answer) {
  if (const auto* error = answer.as_object().if_contains("error"))
    return std::string{error->at("message").as_string()};
  return std::string{answer.at("result").at("content").at(0).at("text").as_string()};
}

bool is_refused(const json::value& answer) {
  const auto* result = answer.as_object().if_contains("result");
  return result == nullptr || result->as_object().contains("isError");
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(wrong_calls_of_tools, served_calls)

BOOST_AUTO_TEST_CASE(the_answer_to_a_wrong_call_is_enough_to_call_again_rightly) {
  prepare();
  std::vector<std::pair<std::string, std::string>> wrong, right;
  for (const auto& x : wrong_calls()) {
    wrong.emplace_back(x.tool, with_ids(x.arguments));
    right.emplace_back(x.better_tool, with_ids(x.better));
  }
  auto refused = call(wrong), taken = call(right);
  for (size_t i = 0; i < wrong.size(); ++i) {
    const auto& x = wrong_calls()[i];
    auto said = text_of(refused[i]);
    BOOST_TEST(is_refused(refused[i]), x.what);
    for (const auto* part : x.answer)
      BOOST_TEST(contains(said, part), x.what << ": " << said);
    BOOST_TEST(said.size() < 1'200u, x.what << ": " << said);
    BOOST_TEST(!is_refused(taken[i]), x.what << ": " << text_of(taken[i]));
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_tool_is_answered_with_those_that_were_probably_meant) {
  const std::vector<std::array<const char*, 2>> all{{"add_note", "did you mean scratch_add?"},
    {"save_memory", "did you mean remember?"}, {"search", "did you mean recall?"},
    {"delete_fact", "did you mean forget?"}, {"addObservation", "did you mean add_observation"},
    {"update_goal", "did you mean goal_update?"}, {"fly", "Tools: add_observation"}};
  std::vector<std::pair<std::string, std::string>> calls;
  for (const auto& x : all)
    calls.emplace_back(x[0], "{}");
  auto answers = call(calls);
  for (size_t i = 0; i < all.size(); ++i)
    BOOST_TEST(contains(text_of(answers[i]), all[i][1]), text_of(answers[i]));
}

BOOST_AUTO_TEST_CASE(an_answer_repeats_little_of_what_was_sent_and_nothing_that_controls_a_reader) {
  const std::string longest(10'000, 'x');
  auto answers = call({{"add_observation", R"({")" + longest + R"(": 1})"},
    {"add_observation", R"({"type": ")" + longest + R"(", "content": "x"})"},
    {"add_observation", R"({"a\u001b[2J\nb": {"type": 1}})"}, {longest, "{}"},
    {"query_observations", R"({"type[": 1, "a]": {"b[": 2}})"}});
  for (const auto& x : answers) {
    auto said = text_of(x);
    BOOST_TEST(is_refused(x));
    BOOST_TEST(said.size() < 1'200u, said);
    BOOST_TEST(said.find_first_of("\n\x1b") == std::string::npos, said);
  }
}

BOOST_AUTO_TEST_CASE(a_simple_agent_has_three_tools_and_is_told_of_no_others) {
  input = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"
          "\n";
  BOOST_REQUIRE(run_plain({"mcp", "--data", data(), "--tools", "simple"}) == 0);
  auto listed = answers().at(0).at("result").at("tools").as_array();
  BOOST_REQUIRE(listed.size() == 3u);
  BOOST_TEST(listed[0].at("name").as_string() == "remember");
  BOOST_TEST(listed[1].at("name").as_string() == "recall");
  BOOST_TEST(listed[2].at("name").as_string() == "forget");
  auto kept = call({{"remember", R"({"text": "Ann is allergic to peanuts"})"}}, "simple");
  auto found = call({{"recall", R"({"query": "peanuts"})"}, {"add_observation", good_note},
                      {"forget", R"({"id": "fact_99"})"}},
    "simple"); // in another process, as after a restart
  BOOST_TEST(contains(text_of(found[0]), "Ann is allergic to peanuts"));
  BOOST_TEST(is_refused(found[1]));
  BOOST_TEST(contains(text_of(found[1]), "Tools: remember, recall, forget"), text_of(found[1]));
  BOOST_TEST(contains(text_of(found[2]), "Call recall to find one"), text_of(found[2]));
  auto gone = call({{"forget", R"({"id": ")" + id_in(kept[0], "id") + "\"}"}}, "simple");
  BOOST_TEST(!is_refused(gone[0]));
  auto none = call({{"recall", R"({"query": "peanuts"})"}}, "simple");
  BOOST_TEST(contains(text_of(none[0]), "Nothing that is remembered has these words"));
  BOOST_TEST(run_plain({"mcp", "--data", data(), "--tools", "few"}) == 2);
  BOOST_TEST(contains(err, "--tools"), err);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
