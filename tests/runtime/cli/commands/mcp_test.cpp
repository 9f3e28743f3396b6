#include <array>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

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

  static std::string tool(int id, const std::string& name, const std::string& arguments) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id)
           + R"(,"method":"tools/call","params":{"name":")" + name + R"(","arguments":)" + arguments
           + "}}\n";
  }
};

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

  ~running_mcp() {
    ::close(to_[1]);
    if (thread_.joinable())
      thread_.join();
    ::close(from_[0]);
    ::close(to_[0]);
  }

  void send(const std::string& lines) const {
    BOOST_REQUIRE(::write(to_[1], lines.data(), lines.size()) == ssize_t(lines.size()));
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
