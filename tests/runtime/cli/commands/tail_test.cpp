#include <array>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>

#include <pthread.h>
#include <unistd.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/tests/runtime/cli/commands/running_server.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// `scratchpage tail`, alone and while other commands run.

namespace scratchpage::test {

namespace {

/// An output that a test reads while it is written. Its reader may end after some lines.
class read_output : public std::stringbuf {
public:
  explicit read_output(size_t most_lines = SIZE_MAX)
    : most_lines_{most_lines} {}

  /// Waits for the first `count` lines.
  std::vector<std::string> lines(size_t count) {
    std::unique_lock lock{guard_};
    changed_.wait_for(lock, std::chrono::minutes{1}, [&] { return lines_.size() >= count; });
    return lines_;
  }

private:
  int sync() override {
    std::lock_guard lock{guard_};
    auto text = str();
    for (auto end = text.find('\n', read_); end != std::string::npos;
         end = text.find('\n', read_)) {
      lines_.push_back(text.substr(read_, end - read_));
      read_ = end + 1;
    }
    changed_.notify_all();
    return lines_.size() < most_lines_ ? 0 : -1;
  }

  const size_t most_lines_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  size_t read_ = 0;
};

/// A `tail` on its own thread, which real signals can end.
class running_tail {
public:
  explicit running_tail(
    std::vector<std::string> words, size_t most_lines = SIZE_MAX, int out_fd = -1)
    : said_{most_lines} {
    words.insert(words.begin(), {"scratchpage", "tail"});
    thread_ = std::thread{[this, words, out_fd] {
      std::vector<const char*> argv;
      argv.reserve(words.size());
      for (const auto& word : words)
        argv.push_back(word.c_str());
      std::ostream out{&said_};
      command_environment environment{out, errors_, {}, {}, false, {}, {}, nullptr, {}, out_fd};
      code_ = run_command_line(static_cast<int>(argv.size()), argv.data(), environment);
    }};
  }

  ~running_tail() {
    if (thread_.joinable())
      thread_.join();
  }

  std::vector<std::string> lines(size_t count) { return said_.lines(count); }

  /// Sends a signal and returns the exit code. Call it only after output: before, the signal would
  /// end the test program.
  int end_by(int signal) {
    pthread_kill(thread_.native_handle(), signal);
    return end();
  }

  int end() {
    thread_.join();
    return code_;
  }

  std::string errors() const { return errors_.str(); }

private:
  read_output said_;
  std::ostringstream errors_;
  int code_ = -1;
  std::thread thread_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tail, shell)

BOOST_AUTO_TEST_CASE(an_event_is_a_line_for_people) {
  auto id = add("observation", "Smoke", {"--confidence", "0.9"});
  BOOST_TEST(run({"tail", "--from", "start", "-n", "1"}) == 0);
  auto line = out.substr(19); // skips the time
  BOOST_TEST(line == "  added     " + id + "  observation  0.9   Smoke\n");
  BOOST_TEST(out.substr(0, 2) == "20");
  BOOST_TEST(err == "");
}

BOOST_AUTO_TEST_CASE(an_event_is_an_object_for_programs) {
  auto id = add("observation", "Smoke\u202e");
  BOOST_TEST(run({"tail", "--from", "start", "-n", "1", "--json"}) == 0);
  BOOST_TEST(contains(out, "Smoke\\u202e"), out);
  auto event = answer();
  BOOST_TEST(event.at("id").as_string() == "2-1"); // of the second process
  BOOST_TEST(event.at("kind").as_string() == "added");
  BOOST_TEST(event.at("observation").at("observation_id").as_string() == id);
  BOOST_TEST(!event.contains("subscription"));
}

BOOST_AUTO_TEST_CASE(it_goes_on_after_an_event_and_ends_after_as_many_as_wanted) {
  for (const auto* content : {"a", "b", "c", "d"})
    add("observation", content);
  BOOST_TEST(run({"tail", "--from", "1-1", "-n", "2", "--json"}) == 0);
  auto all = answers();
  BOOST_REQUIRE(all.size() == 2u);
  BOOST_TEST(all[0].at("observation").at("content").as_string() == "b");
  BOOST_TEST(all[1].at("observation").at("content").as_string() == "c");
}

BOOST_AUTO_TEST_CASE(the_filters_of_query_select) {
  add("observation", "a", {"--tag", "water"});
  add("observation", "b", {"--tag", "fire", "--confidence", "0.2"});
  add("observation", "c", {"--tag", "fire", "--confidence", "0.8"});
  BOOST_TEST(run({"tail", "--from", "start", "-n", "1", "--json", "--tag", "fire",
               "--min-confidence", "0.5"})
             == 0);
  BOOST_TEST(answer().at("observation").at("content").as_string() == "c");
}

BOOST_AUTO_TEST_CASE(content_cannot_steer_a_terminal_or_break_its_lines) {
  add("observation", "Red \x1b[31m\nand " + std::string(500, 'x'));
  for (size_t width : {160, 80, 60, 40}) {
    style.width = width;
    BOOST_TEST(run({"tail", "--from", "start", "-n", "1"}) == 0);
    BOOST_TEST(out.find('\x1b') == std::string::npos);
    BOOST_TEST(out.find('\n') == out.size() - 1);
    BOOST_TEST(display_width(out.substr(0, out.size() - 1)) == width);
    BOOST_TEST(contains(out, R"(Red \u{1b})"), out);
  }
  style.colour = true;
  BOOST_TEST(run({"tail", "--from", "start", "-n", "1"}) == 0);
  BOOST_TEST(contains(out, "\x1b[32madded"), out);
  BOOST_TEST(!contains(out, "\x1b[31m"), out);
}

BOOST_AUTO_TEST_CASE(it_tells_what_others_do_until_a_signal_ends_it) {
  auto id = add("observation", "before");
  for (auto signal : {SIGINT, SIGTERM}) {
    running_tail follows{{"--data", data(), "--from", "start"}};
    auto before = follows.lines(1).size();
    add("observation", "Smoke");
    auto lines = follows.lines(before + 1);
    BOOST_TEST(contains(lines.back(), "Smoke"), lines.back());
    BOOST_TEST(follows.end_by(signal) == 0);
    BOOST_TEST(follows.errors() == "");
  }
}

BOOST_AUTO_TEST_CASE(it_ends_when_nobody_reads_it) {
  add("observation", "a");
  add("observation", "b");
  running_tail follows{{"--data", data(), "--from", "start"}, 1};
  BOOST_TEST(follows.end() == 0);
  BOOST_TEST(follows.lines(1).size() == 1u);
}

BOOST_AUTO_TEST_CASE(it_ends_when_its_output_is_closed_though_nothing_happens) {
  add("observation", "a");
  std::array<int, 2> pipe{};
  BOOST_REQUIRE(::pipe(pipe.data()) == 0);
  running_tail follows{{"--data", data(), "--from", "start"}, SIZE_MAX, pipe[1]};
  follows.lines(1);
  ::close(pipe[0]);
  BOOST_TEST(follows.end() == 0);
  ::close(pipe[1]);
}

BOOST_AUTO_TEST_CASE(it_follows_a_server_beyond_its_restart) {
  std::optional<running_server> server{std::in_place, data()};
  auto url = server->url();
  auto listen = "127.0.0.1:" + std::to_string(server->port());
  add("observation", "a");
  running_tail follows{{"--server", url, "--from", "start", "-n", "3", "--wait", "60", "--json"}};
  follows.lines(1);
  add("observation", "b");
  BOOST_TEST(server->end() == 0);
  server.emplace(data(), std::vector<std::string>{}, listen);
  add("observation", "c");
  BOOST_TEST(follows.end() == 0);
  std::string contents;
  for (const auto& line : follows.lines(3))
    contents += parse_json(line)->at("observation").at("content").as_string();
  BOOST_TEST(contents == "abc");
}

BOOST_AUTO_TEST_CASE(a_server_that_is_gone_for_too_long_ends_it) {
  running_server server{data()};
  add("observation", "a");
  running_tail follows{{"--server", server.url(), "--from", "start", "--wait", "0"}};
  follows.lines(1);
  BOOST_TEST(server.end() == 0);
  BOOST_TEST(follows.end() == 1);
  BOOST_TEST(contains(follows.errors(), "expected a server that answers"), follows.errors());
}

BOOST_AUTO_TEST_CASE(bad_options_are_named) {
  add("observation", "a");
  auto refused = [&](std::vector<std::string> options, std::string_view why) {
    options.insert(options.begin(), "tail");
    BOOST_TEST(run(options) == 2);
    BOOST_TEST(contains(err, why), err);
    BOOST_TEST(out == "");
  };
  refused({"--from", "yesterday"}, "--from: expected the id of an event, now, or start");
  refused({"--from", "9-99"}, "--from: expected a sequence up to 1");
  refused({"-n", "0"}, "-n: expected a number of at least 1");
  refused({"-n", "few"}, "-n: expected a whole number");
  refused({"--wait", "100000"}, "--wait: expected up to 86400 seconds");
  refused({"--min-confidence", "2"}, "--min-confidence");
  refused({"--agent", "agnet"}, "agnet");
  BOOST_TEST(run_plain({"tail", "--help"}) == 0);
  BOOST_TEST(contains(out, "scratchpage tail --type alert"), out);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
