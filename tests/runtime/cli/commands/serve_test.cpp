#include <algorithm>
#include <filesystem>
#include <future>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/cli/commands/serve.hpp"
#include "scratchpage/tests/runtime/cli/commands/running_server.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"
#include "scratchpage/tests/support/http_client.hpp"

/// `scratchpage serve`, and commands while it runs.

namespace scratchpage::test {

namespace {

http_answer get(uint16_t port, const std::string& path, const std::string& headers = {}) {
  http_client client{port};
  client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
  return client.read_answer();
}

/// An output that blocks writers until it is released.
class unread_output : public std::stringbuf {
public:
  explicit unread_output(std::shared_future<void> released)
    : released_{std::move(released)} {}

private:
  int sync() override {
    released_.wait();
    return 0;
  }

  std::shared_future<void> released_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(serving, shell)

BOOST_AUTO_TEST_CASE(commands_ask_the_server_that_has_their_directory) {
  running_server server{data()};
  add("alert", "Smoke");
  BOOST_TEST(get(server.port(), "/v1/agents/agent/observations?query=smoke").status == 200);
  BOOST_TEST(numbers({}) == "1");
  BOOST_TEST(run({"get", "obs_20200101_001"}) == 1);
  BOOST_TEST(run({"query", "--agent", "bob"}) == 2);
  BOOST_TEST(contains(err, "agent: expected an agent that is there, got 'bob'"), err);
  BOOST_TEST(server.end() == 0);
  BOOST_TEST(server.errors() == "");
  BOOST_TEST(numbers({}) == "1");
}

BOOST_AUTO_TEST_CASE(its_log_tells_beginning_end_and_who_was_refused_and_no_query) {
  BOOST_REQUIRE(run_plain({"token", "add", "--data", data(), "--name", "ann"}) == 0);
  running_server server{data(), {"--log-format", "json", "--log-level", "info"}};
  BOOST_TEST(get(server.port(), "/v1/agents/ada/stats?secret=x").status == 401);
  BOOST_TEST(get(server.port(), "/healthz").status == 200);
  BOOST_TEST(server.end() == 0);
  std::vector<json::object> lines;
  std::istringstream log{server.errors()};
  for (std::string line; std::getline(log, line);)
    lines.push_back(json::parse(line).get_object());
  BOOST_REQUIRE(lines.size() == 4u);
  BOOST_TEST(lines[0].at("event").as_string() == "serving");
  BOOST_TEST(lines[0].at("level").as_string() == "info");
  BOOST_TEST(lines[0].at("url").as_string() == server.url());
  BOOST_TEST(lines[1].at("event").as_string() == "request");
  BOOST_TEST(lines[1].at("level").as_string() == "warning");
  BOOST_TEST(lines[1].at("status").to_number<int>() == 401);
  BOOST_TEST(lines[1].at("path").as_string() == "/v1/agents/ada/stats");
  BOOST_TEST(lines[2].at("event").as_string() == "ending");
  BOOST_TEST(lines[3].at("event").as_string() == "ended");
  BOOST_TEST(!contains(server.errors(), "secret"));
}

BOOST_AUTO_TEST_CASE(a_log_for_people_cannot_be_steered_by_a_path) {
  running_server server{data(), {"--log-level", "debug"}};
  get(server.port(), "/no%0Asuch%20path%1b=x");
  server.end();
  auto log = server.errors();
  BOOST_TEST(contains(log, " debug request status=404 method=GET path=\"/no"), log);
  BOOST_TEST(!contains(log, "\x1b"), log);
  BOOST_TEST(std::count(log.begin(), log.end(), '\n') == 4);
}

BOOST_AUTO_TEST_CASE(its_log_tells_of_agents_that_are_opened) {
  add("alert", "Smoke", {"--agent", "ada"});
  running_server server{data(), {"--log-level", "info"}};
  for (int i = 0; i < 2; ++i)
    BOOST_TEST(get(server.port(), "/v1/agents/ada/stats").status == 200);
  BOOST_TEST(get(server.port(), "/v1/agents/nobody/stats").status == 404);
  server.end();
  auto log = server.errors();
  BOOST_TEST(contains(log, " info agent_opened agent=ada ms="), log);
  BOOST_TEST(std::count(log.begin(), log.end(), '\n') == 4); // the others: serving, ending, ended
}

/// A blocked log must not keep the server from ending.
BOOST_AUTO_TEST_CASE(a_server_whose_log_nobody_reads_answers_and_ends_in_its_time) {
  std::promise<void> asked_to_end;
  std::promise<void> released;
  unread_output errors{released.get_future().share()};
  first_line said;
  std::ostream to_errors{&errors};
  std::ostream to_out{&said};
  command_environment environment{
    to_out, to_errors, {}, {}, false, {}, {}, nullptr, [&] { asked_to_end.get_future().wait(); }};
  std::optional<exit_code> ended_with;
  environment.end_now = [&](exit_code code) {
    ended_with = code;
    released.set_value();
  };
  serve_options options;
  options.data = data();
  options.listen = ":0";
  options.log_level = "info";
  options.longest_end = timespan{1};
  auto served = std::async(std::launch::async, [&] { return run_serve(options, environment); });
  auto url = said.get();
  auto port = static_cast<uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  BOOST_TEST(get(port, "/healthz").status == 200);
  asked_to_end.set_value();
  served.wait();
  BOOST_CHECK(ended_with == exit_code::unmet);
}

BOOST_AUTO_TEST_CASE(a_log_that_there_is_not_is_refused) {
  BOOST_TEST(run({"serve", "--log-format", "xml"}) == 2);
  BOOST_TEST(contains(err, "--log-format: expected text, json"), err);
  BOOST_TEST(run({"serve", "--log-level", "loud"}) == 2);
  BOOST_TEST(contains(err, "--log-level"), err);
}

BOOST_AUTO_TEST_CASE(commands_ask_a_server_by_its_url) {
  running_server server{data()};
  BOOST_REQUIRE(
    run_plain({"add", "--server", server.url(), "--agent", "ada", "--type", "alert", "Smoke"})
    == 0);
  auto id = out.substr(0, out.find('\n'));
  BOOST_REQUIRE(run_plain({"get", "--server", server.url(), "--agent", "ada", id, "--json"}) == 0);
  BOOST_TEST(answer().at("content").as_string() == "Smoke");
  BOOST_TEST(run_plain({"scratch", "add", "--server", server.url(), "--agent", "ada", "--thread",
               "trip", "Ask for the date"})
             == 0);
  BOOST_TEST(out == "s1\n");
  BOOST_TEST(run_plain({"goals", "--server", server.url(), "--agent", "nobody"}) == 2);
  BOOST_TEST(contains(err, "nobody"), err);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_is_named) {
  BOOST_TEST(run_plain({"goals", "--server", "http://127.0.0.1:1"}) == 2);
  BOOST_TEST(contains(err, "expected a server that answers"), err);
  BOOST_TEST(run_plain({"goals", "--server", "127.0.0.1:1"}) == 2);
  BOOST_TEST(contains(err, "--server: expected http://HOST:PORT"), err);
  BOOST_TEST(run({"goals", "--server", "http://127.0.0.1:1"}) == 2);
  BOOST_TEST(contains(err, "--data"), err);
}

BOOST_AUTO_TEST_CASE(with_a_file_of_tokens_only_their_bearers_are_let_in) {
  BOOST_REQUIRE(
    run_plain({"token", "add", "--data", data(), "--name", "ann", "--agents", "ada", "--read-only"})
    == 0);
  auto token = out.substr(0, out.find('\n'));
  add("alert", "Smoke", {"--agent", "ada"});
  running_server server{data()};
  auto bearer = "Authorization: Bearer " + token + "\r\n";
  auto stranger = get(server.port(), "/v1/agents/ada/observations");
  BOOST_TEST(stranger.status == 401);
  BOOST_TEST(stranger.headers["www-authenticate"] == "Bearer");
  BOOST_TEST(get(server.port(), "/v1/agents/ada/observations", bearer).status == 200);
  BOOST_TEST(get(server.port(), "/v1/agents/bob/observations", bearer).status == 403);
  BOOST_TEST(get(server.port(), "/v1/agents/ada/turns/turn_1", bearer).status == 404);
  http_client client{server.port()};
  client.send(
    "DELETE /v1/agents/ada/observations/x HTTP/1.1\r\nHost: localhost\r\n" + bearer + "\r\n");
  BOOST_TEST(client.read_answer().status == 403);
  // Users who may read the directory need no token.
  BOOST_TEST(numbers({"--agent", "ada"}) == "1");
}

BOOST_AUTO_TEST_CASE(a_file_of_tokens_that_was_named_and_is_not_there_lets_nobody_in) {
  auto missing = (path() / "none" / "tokens.json").string();
  BOOST_TEST(run_plain({"serve", "--data", data(), "--listen", ":0", "--tokens", missing}) == 2);
  BOOST_TEST(contains(err, "--tokens: expected a file that exists"), err);
  BOOST_TEST(contains(err, missing), err);
  BOOST_TEST(run_plain({"serve", "--data", data(), "--listen", ":0", "--tokens", ""}) == 2);
  BOOST_TEST(contains(err, "--tokens: expected a file"), err);
  BOOST_REQUIRE(run_plain({"token", "add", "--tokens", missing, "--name", "ann"}) == 0);
  running_server server{data(), {"--tokens", missing}};
  BOOST_TEST(get(server.port(), "/v1/agents").status == 401);
}

BOOST_AUTO_TEST_CASE(a_link_to_tokens_that_leads_nowhere_lets_nobody_in) {
  add("alert", "Smoke"); // creates the directory
  std::filesystem::create_symlink(
    path() / "not_mounted" / "tokens.json", std::filesystem::path{data()} / "tokens.json");
  BOOST_TEST(run_plain({"serve", "--data", data(), "--listen", ":0"}) == 2);
  BOOST_TEST(contains(err, "tokens.json is a link"), err);
}

BOOST_AUTO_TEST_CASE(what_comes_with_a_persons_token_is_a_users) {
  auto is_a_users = [this](const std::vector<std::string>& more) {
    std::vector<std::string> all{"token", "add", "--data", data(), "--name", "ann"};
    all.insert(all.end(), more.begin(), more.end());
    BOOST_REQUIRE(run_plain(all) == 0);
    auto bearer = "Authorization: Bearer " + out.substr(0, out.find('\n')) + "\r\n";
    running_server server{data()};
    http_client client{server.port()};
    std::string draft = R"({"type": "reminder", "content": "Hello"})";
    client.send("POST /v1/agents/ada/observations HTTP/1.1\r\nHost: localhost\r\n" + bearer
                + "Content-Type: application/json\r\nContent-Length: "
                + std::to_string(draft.size()) + "\r\n\r\n" + draft);
    auto answer = client.read_answer();
    BOOST_REQUIRE(answer.status == 201);
    return contains(answer.body, R"("source":{"user":"ann")");
  };
  BOOST_TEST(!is_a_users({}));
  BOOST_TEST(is_a_users({"--person"}));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_served_is_refused_by_its_option) {
  auto refused = [&](std::vector<std::string> options, std::string_view why) {
    options.insert(options.begin(), {"serve", "--data", data()});
    BOOST_TEST(run_plain(options) == 2);
    BOOST_TEST(contains(err, why), err);
  };
  refused({"--listen", "7070"}, "--listen: expected ADDRESS:PORT");
  refused({"--listen", "0.0.0.0:0"}, "--listen: expected an address of this machine alone");
  refused({"--tls-key", "key.pem"}, "--tls-certificate");
  refused({"--tls-certificate", "no.pem", "--tls-key", "no.pem"}, "certificate");
  refused({"--allow-host", "a b"}, "a b");
  refused({"--config", "/no/such/file"}, "/no/such/file");
  running_server server{data()};
  refused({"--listen", "127.0.0.1:" + std::to_string(server.port())}, "uses it");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
