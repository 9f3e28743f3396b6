#include <array>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/cli/process.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"
#include "scratchpage/tests/support/source_dir.hpp"

/// `scratchpage mcp`: a server of the Model Context Protocol on stdio.

namespace scratchpage::test {

namespace {

struct mcp_shell : shell {
  /// Serves the given lines. Returns the answers by the ids of the requests.
  std::map<int64_t, json::value> serve(
    const std::string& lines, std::vector<std::string> options = {}) {
    input = lines;
    options.insert(options.begin(), {"mcp", "--data", data()});
    BOOST_REQUIRE_MESSAGE(run_plain(options) == 0, err);
    std::map<int64_t, json::value> result;
    for (const auto& x : answers())
      result[x.at("id").to_number<int64_t>()] = x;
    return result;
  }

  /// A server of tools, in the form of the configuration.
  static std::string box() {
    return R"("box": {"command": "python3", "args": [")"
           + source_file("tests/runtime/mcp/client/scripted_server.py") + "\"]}";
  }

  std::string with_box() { return file("config.json", R"({"mcpServers": {)" + box() + "}}"); }

  static std::string tool(int id, const std::string& name, const std::string& arguments) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id)
           + R"(,"method":"tools/call","params":{"name":")" + name + R"(","arguments":)" + arguments
           + "}}\n";
  }
};

/// The parameters of a call of `begin_turn` whose plan has one call.
json::object calling_in_a_turn(std::string_view tool_id, json::object inputs) {
  json::array plan{json::object{{"tool_id", view(tool_id)}, {"inputs", std::move(inputs)}}};
  return {{"name", "begin_turn"},
    {"arguments", {{"input", "Do what the plan says"}, {"plan", std::move(plan)}}}};
}

/// A server on its own thread, with pipes to the test. Real signals can end it.
class running_mcp {
public:
  explicit running_mcp(std::vector<std::string> words) {
    words.insert(words.begin(), {"scratchpage", "mcp"});
    BOOST_REQUIRE(::pipe(to_.data()) == 0 && ::pipe(from_.data()) == 0);
    ::fcntl(from_[1], F_SETPIPE_SZ, 4096); // the smallest possible buffer
    thread_ = std::thread{[this, words] {
      std::vector<const char*> argv;
      argv.reserve(words.size());
      for (const auto& word : words)
        argv.push_back(word.c_str());
      std::istringstream unused;
      std::ostringstream out;
      command_environment environment{
        out, errors_, {}, {}, false, {}, {}, &unused, {}, from_[1], to_[0]};
      code_ = run_command_line(static_cast<int>(argv.size()), argv.data(), environment);
      ::close(from_[1]);
    }};
  }

  /// Ends the input of the server.
  void hang_up() {
    if (std::exchange(is_open_, false))
      ::close(to_[1]);
  }

  ~running_mcp() {
    hang_up();
    if (thread_.joinable())
      thread_.join();
    ::close(from_[0]);
    ::close(to_[0]);
  }

  void send(const std::string& lines) const {
    BOOST_REQUIRE(::write(to_[1], lines.data(), lines.size()) == ssize_t(lines.size()));
  }

  void send(const json::object& message) const { send(to_text(json::value(message)) + "\n"); }

  /// Sends a request of revision 2026-07-28 by a client with these capabilities.
  void ask(int id, std::string_view method, json::object params, json::object can) const {
    params["_meta"] = json::object{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
      {"io.modelcontextprotocol/clientCapabilities", std::move(can)}};
    send(json::object{
      {"jsonrpc", "2.0"}, {"id", id}, {"method", view(method)}, {"params", std::move(params)}});
  }

  /// The next message; null at the end.
  json::value read() const {
    std::string line;
    for (auto c = next(); c && *c != '\n'; c = next())
      line += *c;
    return line.empty() ? json::value{} : *parse_json(line);
  }

  /// The next byte of an answer.
  std::optional<char> next() const {
    char c = 0;
    return ::read(from_[0], &c, 1) == 1 ? std::optional{c} : std::nullopt;
  }

  /// Sends a signal. Call it only after an answer: before, the signal would end the test program.
  void signal(int x) { pthread_kill(thread_.native_handle(), x); }

  int end() {
    thread_.join();
    return code_;
  }

private:
  std::array<int, 2> to_{};
  std::array<int, 2> from_{};
  bool is_open_ = true;
  std::ostringstream errors_;
  int code_ = -1;
  std::thread thread_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_command, mcp_shell)

BOOST_AUTO_TEST_CASE(what_one_client_notes_the_next_one_finds) {
  std::string many;
  for (int i = 1; i <= 100; ++i)
    many += tool(i, "add_observation",
      R"({"type":"observation","content":"Note )" + std::to_string(i) + "\"}");
  auto added = serve(many);
  BOOST_TEST(added.size() == 100u);
  for (const auto& [id, x] : added)
    BOOST_TEST(!x.at("result").as_object().contains("isError"));
  auto found = serve(tool(1, "query_observations", R"({"query":"note 42"})"));
  auto content = found.at(1).at("result").at("structuredContent");
  BOOST_TEST(content.at("observations").at(0).at("content").as_string() == "Note 42");
  BOOST_TEST(run({"query", "--limit", "1", "--json"}) == 0);
  BOOST_TEST(answer().at("total_count").to_number<int>() == 100);
}

BOOST_AUTO_TEST_CASE(a_client_has_the_scratchbook_of_its_thread) {
  serve(tool(1, "scratch_add", R"({"kind":"todo","title":"Ask"})"), {"--thread", "trip"});
  auto own = serve(tool(1, "scratch_read", "{}"), {"--thread", "trip"});
  BOOST_TEST(
    own.at(1).at("result").at("structuredContent").at("view").as_string() == "s1 todo: Ask");
  auto other = serve(tool(1, "scratch_read", "{}"));
  BOOST_TEST(other.at(1).at("result").at("structuredContent").at("view").as_string()
             == "(the scratchbook is empty)");
}

BOOST_AUTO_TEST_CASE(blank_lines_and_an_empty_input_are_no_failure) {
  BOOST_TEST(serve("").empty());
  BOOST_TEST(serve("\n\n" + tool(1, "goals_list", "{}")).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_turn_calls_the_tools_of_other_servers) {
  auto config =
    file("config.json", R"({"mcpServers": {"box": {"command": "python3", "args": [")"
                          + source_file("tests/runtime/mcp/client/scripted_server.py") + "\"]}}}");
  auto turn = tool(1, "begin_turn",
    R"({"input":"Say hello","plan":[{"tool_id":"box.echo","inputs":{"text":"hello"}}]})");
  auto result = serve(turn, {"--config", config}).at(1).at("result").at("structuredContent");
  BOOST_TEST(result.at("status").as_string() == "complete");
  BOOST_TEST(run({"query", "--source", "box.echo"}) == 0);
  BOOST_TEST(contains(out, "hello"));
}

BOOST_AUTO_TEST_CASE(what_it_has_taken_is_answered_when_a_signal_ends_it) {
  auto config =
    file("config.json", R"({"mcpServers": {"box": {"command": "python3", "args": [")"
                          + source_file("tests/runtime/mcp/client/scripted_server.py") + "\"]}}}");
  for (auto signal : {SIGTERM, SIGINT}) {
    auto news = (path() / ("news" + std::to_string(signal))).string();
    BOOST_REQUIRE(::mkfifo(news.c_str(), 0600) == 0);
    running_mcp server{{"--data", data(), "--config", config}};
    server.send(tool(1, "begin_turn",
      R"({"input":"Read","plan":[{"tool_id":"box.read","inputs":{"path":")" + news + "\"}}]}"));
    server.send(tool(2, "goals_list", "{}"));
    BOOST_TEST(server.read().at("id").to_number<int>() == 2);
    server.signal(signal);
    std::ofstream{news} << "hello"; // blocks until the tool reads
    auto answer = server.read();
    BOOST_TEST(answer.at("id").to_number<int>() == 1);
    BOOST_TEST(answer.at("result").at("structuredContent").at("status").as_string() == "complete");
    BOOST_TEST(server.read().is_null());
    BOOST_TEST(server.end() == 0);
  }
  BOOST_TEST(run({"query", "--source", "box.read"}) == 0);
  BOOST_TEST(contains(out, "hello"));
}

BOOST_AUTO_TEST_CASE(a_turn_that_takes_long_is_a_task_until_its_tool_has_answered) {
  auto news = (path() / "news").string();
  BOOST_REQUIRE(::mkfifo(news.c_str(), 0600) == 0);
  const json::object can{{"extensions", {{"io.modelcontextprotocol/tasks", json::object{}}}}};
  running_mcp server{{"--data", data(), "--config", with_box()}};
  server.ask(1, "tools/call", calling_in_a_turn("box.read", {{"path", news}}), can);
  auto begun = server.read().at("result");
  BOOST_TEST(begun.at("resultType").as_string() == "task");
  json::object of{{"taskId", begun.at("taskId")}};
  server.ask(2, "tasks/get", of, can);
  BOOST_TEST(server.read().at("result").at("status").as_string() == "working");
  json::array ids{begun.at("taskId")};
  server.ask(3, "subscriptions/listen", {{"notifications", {{"taskIds", ids}}}}, can);
  server.read(); // the subscription is acknowledged
  BOOST_TEST(server.read().at("params").at("status").as_string() == "working");
  std::ofstream{news} << "hello"; // blocks until the tool reads
  auto ended = server.read().at("params");
  BOOST_TEST(ended.at("status").as_string() == "completed");
  auto turn = ended.at("result").at("structuredContent");
  BOOST_TEST(turn.at("status").as_string() == "complete");
  server.ask(4, "tasks/get", of, can);
  auto again = server.read().at("result").at("result").at("structuredContent");
  BOOST_TEST(again.at("turn_id").as_string() == turn.at("turn_id").as_string());
  server.hang_up();
  BOOST_TEST(server.end() == 0);
  running_mcp next{{"--data", data()}}; // knows no task of the process before
  next.ask(1, "tasks/get", of, can);
  BOOST_TEST(next.read().at("error").at("code").to_number<int>() == -32602);
}

BOOST_AUTO_TEST_CASE(a_cancelled_task_leaves_the_story_of_its_turn_on_the_page) {
  auto news = (path() / "news").string();
  BOOST_REQUIRE(::mkfifo(news.c_str(), 0600) == 0);
  const json::object can{{"extensions", {{"io.modelcontextprotocol/tasks", json::object{}}}}};
  running_mcp server{{"--data", data(), "--config", with_box()}};
  auto turn = calling_in_a_turn("box.read", {{"path", news}});
  turn["arguments"].as_object()["mode"] = "background";
  server.ask(1, "tools/call", turn, can);
  auto begun = server.read().at("result");
  json::object of{{"taskId", begun.at("taskId")}};
  json::array ids{begun.at("taskId")};
  server.ask(5, "subscriptions/listen", {{"notifications", {{"taskIds", ids}}}}, can);
  std::string said;
  while (!said.starts_with("The turn turn_")) // once the ensemble has read the input
    if (auto x = server.read().at("params").as_object(); x.contains("statusMessage"))
      said = std::string{x.at("statusMessage").as_string()};
  server.ask(2, "tasks/cancel", of, can);
  auto acknowledged = server.read();
  while (!acknowledged.as_object().contains("result"))
    acknowledged = server.read();
  BOOST_TEST(acknowledged.at("id").to_number<int>() == 2);
  server.ask(3, "tasks/get", of, can);
  BOOST_TEST(server.read().at("result").at("status").as_string() == "cancelled");
  std::ofstream{news} << "hello";
  server.send(tool(4, "end_turn", R"({"turn_id":")" + said.substr(9, 17) + "\"}"));
  auto ended = server.read().at("result").at("structuredContent");
  BOOST_TEST(ended.at("status").as_string() == "complete");
  server.hang_up();
  BOOST_TEST(server.end() == 0);
  BOOST_TEST(run({"query", "--source", "box.read"}) == 0);
  BOOST_TEST(contains(out, "hello"));
}

BOOST_AUTO_TEST_CASE(only_a_clear_yes_of_the_person_at_the_client_lets_a_protected_call_run) {
  struct attempt {
    const char* answer;
    const char* outcome;
    size_t open; ///< questions on the page afterwards
  };
  const std::array attempts{
    attempt{R"({"action":"accept","content":{"answer":"Yes, once"}})", "yes_once", 0},
    attempt{R"({"action":"accept","content":{"answer":"No"}})", "no", 0},
    attempt{R"({"action":"decline"})", "none", 1},
    attempt{R"({"action":"accept","content":{"answer":"yes, do it all"}})", "none", 1}};
  for (const auto& x : attempts) {
    std::filesystem::remove_all(data());
    running_mcp server{{"--data", data(), "--config", with_box()}};
    server.send(json::object{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "initialize"},
      {"params",
        {{"protocolVersion", "2025-11-25"}, {"capabilities", {{"elicitation", json::object{}}}}}}});
    server.read();
    server.send(json::object{{"jsonrpc", "2.0"}, {"id", 2}, {"method", "tools/call"},
      {"params", calling_in_a_turn("box.erase", {{"what", "all"}})}});
    auto asked = server.read();
    BOOST_REQUIRE(asked.at("method").as_string() == "elicitation/create");
    BOOST_TEST(contains(std::string{asked.at("params").at("message").as_string()},
      R"(Allow box.erase with {"what":"all"}?)"));
    server.send(
      json::object{{"jsonrpc", "2.0"}, {"id", asked.at("id")}, {"result", *parse_json(x.answer)}});
    auto turn = server.read().at("result").at("structuredContent");
    BOOST_TEST(turn.at("consents").at(0).at("answer").as_string() == x.outcome);
    server.hang_up();
    BOOST_TEST(server.end() == 0);
    auto is_done = std::string_view{x.outcome} == "yes_once";
    BOOST_TEST(run({"query", "--source", "box.erase", "--json"}) == 0);
    BOOST_TEST((answer().at("total_count").to_number<int>() > 0) == is_done, x.answer);
    BOOST_TEST(run({"query", "--type", "pending_confirmation", "--json"}) == 0);
    BOOST_TEST(answer().at("total_count").to_number<size_t>() == x.open, x.answer);
  }
}

BOOST_AUTO_TEST_CASE(who_does_not_want_it_is_never_asked_through_a_client) {
  auto config =
    file("config.json", R"({"consent": {"elicitation": "off"}, "mcpServers": {)" + box() + "}}");
  running_mcp server{{"--data", data(), "--config", config}};
  const json::object can{{"elicitation", json::object{}}};
  server.ask(1, "tools/call", calling_in_a_turn("box.erase", {}), can);
  auto answered = server.read();
  BOOST_REQUIRE_MESSAGE(answered.as_object().contains("result"), to_text(answered));
  const auto& result = answered.at("result");
  BOOST_TEST(result.at("resultType").as_string() == "complete");
  BOOST_TEST(!result.at("structuredContent").as_object().contains("consents"));
  server.hang_up();
  BOOST_TEST(server.end() == 0);
}

BOOST_AUTO_TEST_CASE(whoever_does_not_read_its_answers_keeps_no_signal_from_ending_it) {
  running_mcp server{{"--data", data()}};
  server.send(tool(1, "add_observation", R"({"type":"observation","content":"Smoke"})"));
  server.read();
  server.send(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"
              "\n"); // more than a pipe holds
  server.next();
  server.signal(SIGTERM);
  BOOST_TEST(server.end() == 1);
  BOOST_TEST(numbers({"Smoke"}) == "1");
}

BOOST_AUTO_TEST_CASE(a_variable_that_a_server_needs_is_missed_by_name) {
  auto config = file("config.json",
    R"({"mcpServers": {"box": {"command": "x", "env": {"KEY": "${NO_SUCH_VARIABLE}"}}}})");
  BOOST_TEST(run_plain({"mcp", "--data", data(), "--config", config}) == 2);
  BOOST_TEST(contains(err, "mcpServers.box.env.KEY"), err);
  BOOST_TEST(contains(err, "NO_SUCH_VARIABLE"), err);
}

BOOST_AUTO_TEST_CASE(a_client_has_a_name_that_is_its_own_and_looks_like_no_other) {
  for (const auto* name : {"executor", "Executor", "executor\n"}) {
    BOOST_TEST(run_plain({"mcp", "--data", data(), "--name", name}) == 2);
    BOOST_TEST(contains(err, "--name: expected a name that no component of the agent has"), err);
  }
  for (const auto& name : {std::string{" "}, std::string{"ann "}, std::string(129, 'x')}) {
    BOOST_TEST(run_plain({"mcp", "--data", data(), "--name", name}) == 2);
    BOOST_TEST(contains(err, "--name: expected a name without blanks at its ends"), err);
  }
  BOOST_TEST(!std::filesystem::exists(data()));
}

BOOST_AUTO_TEST_CASE(commands_without_turns_start_no_server) {
  auto started = (path() / "started").string();
  auto config = file("config.json",
    R"({"mcpServers": {"box": {"command": "touch", "args": [")" + started + "\"]}}}");
  BOOST_TEST(run({"add", "--type", "alert", "Smoke", "--config", config}) == 0);
  BOOST_TEST(!std::filesystem::exists(started));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
