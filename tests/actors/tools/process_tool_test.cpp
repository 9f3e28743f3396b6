#define BOOST_TEST_MODULE process_tool
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/actors/tools/child_process.hpp"
#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"
#include "scratchpage/tests/support/tools.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// These tests use real time, because they run programs. None of them sleeps: a test waits for an
/// answer or the end of a file.

namespace scratchpage {

namespace {

using namespace std::literals;
using test::manifest;
using test::request;
using test::summary;

/// A script that answers each request with a count, under the request's id.
constexpr auto echo = R"(
n=0
while IFS= read -r line; do
  n=$((n + 1))
  id=${line#*\"request_id\":\"}
  id=${id%%\"*}
  printf '{"request_id":"%s","status":"ok","outputs":{"n":%d}}\n' "$id" "$n"
done
)";

/// A script that answers one request in this way and ends.
constexpr auto echo_once = R"(
IFS= read -r line
id=${line#*\"request_id\":\"}
id=${id%%\"*}
printf '{"request_id":"%s","status":"ok","outputs":{"n":1}}\n' "$id"
)";

/// A script that answers t/1 with its process id. For each later request it only writes a line to
/// a file.
constexpr auto answers_once = R"(
IFS= read -r line
printf '{"request_id":"t/1","status":"ok","outputs":{"n":%d}}\n' $$
while IFS= read -r line; do echo x >> begun; done
)";

struct fixture {
  process_tool script(std::string_view text) {
    process_tool result;
    result.command = {"sh", dir.file("tool.sh", text)};
    result.working_directory = dir.path().string();
    result.grace = 2s; // long enough for a loaded machine
    result.min_backoff = 1ms;
    return result;
  }

  tool_actor spawn(process_tool tool, bool idempotent = false) {
    auto described = manifest("tool", 20'000);
    described.idempotent = idempotent;
    return spawn_tool(sys, {described, std::move(tool)}, {});
  }

  std::string call(const tool_actor& tool, std::string request_id = "t/1", double timeout_ms = 0) {
    auto result = "no answer"s;
    scratchpage::ask(self.ptr(), tool, 60s, request_within(request_id, timeout_ms))
      .receive(
        [&](const tool_response& x) {
          BOOST_TEST(x.request_id == request_id);
          result = summary(x);
        },
        [&](const caf::error& err) { result = describe(err); });
    return result;
  }

  static tool_request request_within(std::string request_id, double timeout_ms) {
    auto result = request("tool", std::move(request_id));
    result.timeout_ms = timeout_ms;
    return result;
  }

  void end(const tool_actor& tool) {
    self->send_exit(tool, caf::exit_reason::user_shutdown);
    self->wait_for(tool);
  }

  test::temp_dir dir;
  caf::actor_system_config cfg;
  caf::actor_system sys{cfg};
  caf::scoped_actor self{sys};
};

child_command sh(const test::temp_dir& dir, std::string_view text) {
  return {{"sh", dir.file("child.sh", text)}, {}, dir.path().string()};
}

child_limits limits() {
  child_limits result;
  result.grace = 2s;
  result.min_backoff = 1ms;
  return result;
}

child_reply exchange(child_process& child, std::string line = "x", timespan timeout = 20s) {
  return child.exchange(std::move(line), child_process::deadline_in(timeout));
}

bool exists(pid_t pid) {
  return ::kill(pid, 0) == 0;
}

/// Waits until a killed process has ended; it may not be reaped yet. False after 20 seconds.
bool ends(pid_t pid) {
  auto process = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (process == -1)
    return errno == ESRCH;
  pollfd end{process, POLLIN, 0};
  auto has_ended = ::poll(&end, 1, 20'000) == 1;
  ::close(process);
  return has_ended;
}

size_t open_descriptors() {
  std::filesystem::directory_iterator all{"/proc/self/fd"};
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(actor, fixture)

BOOST_AUTO_TEST_CASE(one_program_answers_many_requests) {
  auto tool = spawn(script(echo));
  BOOST_TEST(call(tool, "t/1") == "ok n=1");
  BOOST_TEST(call(tool, "t/2") == "ok n=2");
  BOOST_TEST(call(tool, "t/3") == "ok n=3");
  end(tool);
}

BOOST_AUTO_TEST_CASE(a_program_that_ends_after_each_answer_is_started_again) {
  auto tool = spawn(script(echo_once));
  for (auto id : {"t/1", "t/2", "t/3", "t/4"})
    BOOST_TEST(call(tool, id) == "ok n=1");
  end(tool);
}

BOOST_AUTO_TEST_CASE(a_program_that_never_answers_is_killed_at_the_timeout) {
  auto tool = spawn(script(answers_once));
  auto first = call(tool);
  BOOST_REQUIRE(first.starts_with("ok n="));
  BOOST_TEST(call(tool, "t/2", 200) == "timeout: tool did not answer in time");
  BOOST_TEST(!exists(std::stoi(first.substr(5))));
  end(tool);
}

BOOST_AUTO_TEST_CASE(a_program_that_dies_is_an_error_with_the_end_of_its_standard_error) {
  auto tool = spawn(script("IFS= read -r line; echo 'out of cheese' >&2; exit 3"));
  BOOST_TEST(call(tool)
             == "error: tool exited with status 3 before it answered; its standard error ends "
                "with: out of cheese?");
  end(tool);
}

BOOST_AUTO_TEST_CASE(an_idempotent_tool_is_asked_once_more_when_it_dies) {
  auto dies_first =
    std::string{"IFS= read -r line; [ -e again ] || { : > again; exit 1; }\n"}
    + "printf '{\"request_id\":\"t/1\",\"status\":\"ok\",\"outputs\":{\"n\":7}}\\n'";
  auto tool = spawn(script(dies_first), true);
  BOOST_TEST(call(tool) == "ok n=7");
  end(tool);
}

BOOST_AUTO_TEST_CASE(it_is_asked_no_more_than_twice) {
  auto tool = spawn(script("IFS= read -r line; echo x >> starts; exit 1"), true);
  BOOST_TEST(call(tool) == "error: tool exited with status 1 before it answered");
  BOOST_TEST(dir.read("starts") == "x\nx\n");
  end(tool);
}

BOOST_AUTO_TEST_CASE(one_that_is_not_idempotent_is_asked_once) {
  auto tool = spawn(script("IFS= read -r line; echo x >> starts; exit 1"), false);
  BOOST_TEST(call(tool) == "error: tool exited with status 1 before it answered");
  BOOST_TEST(dir.read("starts") == "x\n");
  end(tool);
}

BOOST_AUTO_TEST_CASE(a_line_that_is_no_response_is_an_error_that_shows_it) {
  auto tool = spawn(script("while IFS= read -r line; do echo 'hello there'; done"));
  auto text = call(tool);
  BOOST_TEST(text.starts_with("error: tool gave an answer that is not a tool response"), text);
  BOOST_TEST(text.ends_with(": hello there"), text);
  end(tool);
}

BOOST_AUTO_TEST_CASE(an_unknown_field_of_a_response_is_named) {
  auto tool = spawn(script(
    R"(IFS= read -r line; echo '{"request_id":"t/1","status":"ok","output":{}}'; read -r line)"));
  auto text = call(tool);
  BOOST_TEST(text.find("invalid_request: output: unknown field") != std::string::npos, text);
  end(tool);
}

BOOST_AUTO_TEST_CASE(an_answer_to_another_request_is_an_error_that_names_it) {
  auto tool =
    spawn(script(R"(while IFS= read -r line; do echo '{"request_id":"t/9","status":"ok"}'; done)"));
  BOOST_TEST(call(tool) == "error: tool answered request t/9 instead of t/1");
  end(tool);
}

BOOST_AUTO_TEST_CASE(after_a_breach_of_the_protocol_the_next_call_finds_a_fresh_program) {
  auto babbles = std::string{"[ -e again ] || { : > again; echo hello; }\n"} + echo;
  auto tool = spawn(script(babbles));
  BOOST_TEST(
    call(tool, "t/1").starts_with("error: tool gave an answer that is not a tool response"));
  BOOST_TEST(call(tool, "t/2") == "ok n=1");
  end(tool);
}

BOOST_AUTO_TEST_CASE(a_line_beyond_the_bound_is_an_error) {
  auto floods = script("IFS= read -r line; while :; do printf '%s' \"$line$line$line\"; done");
  floods.max_line_bytes = 10'000;
  auto tool = spawn(floods);
  BOOST_TEST(call(tool) == "error: tool wrote a line of more than 10000 bytes");
  end(tool);
}

BOOST_AUTO_TEST_CASE(a_program_that_cannot_be_started_is_an_error_that_says_why) {
  process_tool missing;
  missing.command = {"no_such_program_anywhere"};
  auto tool = spawn(missing);
  BOOST_TEST(call(tool)
             == "error: tool could not be started: no_such_program_anywhere: No such file or "
                "directory");
  end(tool);
}

BOOST_AUTO_TEST_CASE(what_waits_is_bounded_and_at_its_timeout_answered_without_being_begun) {
  auto program = script(answers_once);
  program.max_queued = 1;
  auto tool = spawn(program);
  BOOST_REQUIRE(call(tool).starts_with("ok n="));
  auto running = scratchpage::ask(self.ptr(), tool, 60s, request_within("t/2", 300));
  auto waiting = scratchpage::ask(self.ptr(), tool, 60s, request_within("t/3", 200));
  auto refused = scratchpage::ask(self.ptr(), tool, 60s, request_within("t/4", 200));
  std::vector<std::string> answers;
  auto note = [&](const tool_response& x) { answers.push_back(summary(x)); };
  auto failed = [&](const caf::error& err) { answers.push_back(describe(err)); };
  std::move(running).receive(note, failed);
  std::move(waiting).receive(note, failed);
  std::move(refused).receive(note, failed);
  BOOST_REQUIRE(answers.size() == 3u);
  BOOST_TEST(answers[0] == "timeout: tool did not answer in time");
  BOOST_TEST(answers[1] == "timeout: timeout: no answer within 200 ms");
  BOOST_TEST(answers[2] == "error: overloaded: 1 calls are waiting already");
  BOOST_TEST(dir.read("begun") != "x\nx\n");
  end(tool);
}

BOOST_AUTO_TEST_CASE(ending_the_tool_ends_a_call_that_is_under_way_and_the_program) {
  // The program writes to a named pipe when it has begun; the pipe's end tells that it is gone.
  auto fifo = (dir.path() / "fifo").string();
  BOOST_REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  auto tool = spawn(script("exec 9> fifo; IFS= read -r line; echo begun >&9; IFS= read -r line"));
  auto pending = scratchpage::ask(self.ptr(), tool, 60s, request("tool", "t/1"));
  std::ifstream begun{fifo};
  std::string line;
  std::getline(begun, line);
  BOOST_TEST(line == "begun");
  end(tool);
  std::getline(begun, line);
  BOOST_TEST(begun.eof());
  auto failed = false;
  std::move(pending).receive(
    [](const tool_response&) {}, [&](const caf::error&) { failed = true; });
  BOOST_TEST(failed);
}

BOOST_AUTO_TEST_CASE(a_blocking_function_has_a_thread_of_its_own_and_its_own_timeout) {
  std::promise<void> release;
  auto released = release.get_future().share();
  function_tool blocks;
  blocks.detached = true;
  blocks.call = [released](const tool_request&) {
    released.wait();
    tool_response result;
    result.outputs["n"] = 1;
    return result;
  };
  auto tool = spawn_tool(sys, {manifest("tool", 50), blocks}, {});
  BOOST_TEST(call(tool, "t/1") == "timeout: timeout: no answer within 50 ms");
  release.set_value();
  BOOST_TEST(call(tool, "t/2", 60'000) == "ok n=1");
  end(tool);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_CASE(under_virtual_time_a_program_runs_while_time_stands_still, test::temp_dir) {
  test::virtual_time time;
  process_tool program;
  program.command = {"sh", file("tool.sh", echo)};
  toolbox_config config;
  config.allow_threads = false;
  std::vector<tool_definition> tools{{manifest("tool"), program}};
  auto box = time.make<toolbox_state>(agent_context{"a", time.clock, nullptr}, 1u, tools, config);
  auto answer = time.ask(box, request("tool", "t/1"));
  BOOST_REQUIRE(answer);
  BOOST_TEST(summary(*answer) == "ok n=1");
  BOOST_TEST((time.now() == default_virtual_origin()));
}

BOOST_FIXTURE_TEST_SUITE(child, test::temp_dir)

BOOST_AUTO_TEST_CASE(lines_go_out_and_come_back) {
  child_process child{{{"cat"}, {}, {}}, limits()};
  BOOST_TEST(exchange(child, "one").line == "one");
  BOOST_TEST(exchange(child, "two").line == "two");
  BOOST_TEST(child.pid().has_value());
}

BOOST_AUTO_TEST_CASE(a_request_and_an_answer_larger_than_a_pipe_pass_each_other) {
  auto roomy = limits();
  roomy.max_line_bytes = 4 << 20;
  child_process child{{{"cat"}, {}, {}}, roomy};
  std::string large(3 << 20, 'x');
  BOOST_TEST((exchange(child, large).line == large));
}

BOOST_AUTO_TEST_CASE(a_line_may_be_as_long_as_the_bound_and_no_longer) {
  auto tight = limits();
  tight.max_line_bytes = 8;
  child_process child{{{"cat"}, {}, {}}, tight};
  BOOST_TEST(exchange(child, "12345678").line == "12345678");
  BOOST_TEST((exchange(child, "123456789").failure == child_failure::line_too_long));
  BOOST_TEST(!child.pid().has_value());
}

BOOST_AUTO_TEST_CASE(a_flood_on_standard_error_blocks_nothing_and_only_its_end_is_kept) {
  child_process child{sh(*this, R"(
IFS= read -r line
i=0; while [ $i -lt 20000 ]; do echo "noise number $i, and some more of it" >&2; i=$((i + 1)); done
echo done
IFS= read -r line
)"),
    limits()};
  BOOST_TEST(exchange(child).line == "done");
  BOOST_TEST(child.stderr_tail().size() <= 4096u);
}

BOOST_AUTO_TEST_CASE(the_environment_and_the_directory_are_as_asked) {
  auto command = sh(*this, "IFS= read -r line; echo \"$COLOUR $(pwd -P) ${HOME:+home}\"");
  command.env["COLOUR"] = "green";
  child_process child{command, limits()};
  auto home = ::getenv("HOME") != nullptr ? " home" : " "; // NOLINT(concurrency-mt-unsafe)
  BOOST_TEST(exchange(child).line == "green " + std::filesystem::canonical(path()).string() + home);
}

BOOST_AUTO_TEST_CASE(one_that_ignores_sigterm_is_killed_with_all_it_started) {
  auto impatient = limits();
  impatient.grace = 20ms;
  child_process child{sh(*this, R"(
trap '' TERM
sh -c 'echo $$ > nested; while :; do sleep 1; done' &
while [ ! -s nested ]; do :; done
IFS= read -r line
echo ready
while :; do wait; done
)"),
    impatient};
  BOOST_TEST(exchange(child).line == "ready");
  auto leader = child.pid().value();
  auto nested = std::stoi(read("nested"));
  child.end();
  BOOST_TEST(!exists(leader));
  BOOST_TEST(ends(nested));
}

BOOST_AUTO_TEST_CASE(one_that_died_without_reading_left_the_request_untouched) {
  child_process ends{sh(*this, "exit 0"), limits()};
  auto reply = exchange(ends);
  BOOST_TEST((reply.failure == child_failure::died));
  BOOST_TEST(reply.untouched);
  child_process reads{sh(*this, "IFS= read -r line; exit 0"), limits()};
  BOOST_TEST(!exchange(reads).untouched);
}

BOOST_AUTO_TEST_CASE(failures_in_a_row_are_backed_off_from) {
  auto slow = limits();
  slow.min_backoff = 1h;
  slow.max_backoff = 2h;
  child_process child{sh(*this, "exit 1"), slow};
  BOOST_TEST((exchange(child).failure == child_failure::died));
  auto again = exchange(child);
  BOOST_TEST((again.failure == child_failure::not_started));
  BOOST_TEST(again.error.starts_with("failed 1 times in a row, is started again in"), again.error);
}

BOOST_AUTO_TEST_CASE(stop_ends_an_exchange_and_all_later_ones) {
  auto interrupt = std::make_shared<child_interrupt>();
  child_process child{sh(*this, "IFS= read -r line; IFS= read -r line"), limits(), interrupt};
  auto reply = std::async(std::launch::async, [&] { return exchange(child, "x", 1h).failure; });
  interrupt->stop();
  BOOST_TEST((reply.get() == child_failure::stopped));
  BOOST_TEST((exchange(child, "x", 1h).failure == child_failure::stopped));
}

BOOST_AUTO_TEST_CASE(neither_descriptors_nor_zombies_are_left) {
  auto before = open_descriptors();
  for (int i = 0; i < 5; ++i) {
    child_process child{sh(*this, "IFS= read -r line; echo a; exit 0"), limits()};
    exchange(child);
    exchange(child);
  }
  BOOST_TEST(open_descriptors() == before);
  BOOST_TEST(::waitpid(-1, nullptr, WNOHANG) == -1); // the test has no child process
}

BOOST_AUTO_TEST_CASE(a_child_inherits_three_descriptors_and_default_signals) {
  auto leaked = ::open("/dev/null", O_RDONLY); // without O_CLOEXEC
  BOOST_REQUIRE(::signal(SIGPIPE, SIG_IGN) != SIG_ERR);
  child_process child{
    sh(*this, "IFS= read -r line; ls /proc/self/fd | tr '\\n' ' '; echo; read -r line"), limits()};
  auto line = exchange(child).line;
  ::close(leaked);
  ::signal(SIGPIPE, SIG_DFL);
  BOOST_TEST(line == "0 1 2 3 "); // 3 is the directory that ls reads
}

BOOST_AUTO_TEST_CASE(writing_to_a_child_that_closed_its_input_ends_nobody) {
  child_process child{sh(*this, "exec 0<&-; echo closed; while :; do sleep 1; done"), limits()};
  BOOST_TEST(exchange(child, std::string(1 << 20, 'x')).line == "closed");
  BOOST_TEST((exchange(child, "x", 20s).line == "closed"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
