#include "scratchpage/tests/support/private_postgres.hpp"

#include <array>
#include <stdexcept>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratchpage/persistence/store/postgres_connection.hpp"
#include "scratchpage/tests/support/source_dir.hpp"

/// For the leak sanitizer: libpqxx 6 leaks an answer of 2 KB when it throws because the
/// connection is lost.
extern "C" const char* __lsan_default_suppressions() { // NOLINT(bugprone-reserved-identifier)
  return "leak:libpqxx";
}

namespace scratchpage::test {

namespace {

struct pipe_ends {
  int read = -1;
  int write = -1;
};

pipe_ends make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe to a PostgreSQL server");
  return {ends[0], ends[1]};
}

pid_t spawn(const std::string& dir, bool synced, int in, int out) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  std::array<std::string, 4> words{
    "bash", source_file("tests/support/private_postgres.sh"), dir, synced ? "on" : "off"};
  std::array<char*, 5> arguments{
    words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t result = 0;
  auto status = ::posix_spawnp(&result, "bash", &actions, nullptr, arguments.data(), ::environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (status != 0)
    throw std::runtime_error("bash, which starts a PostgreSQL server, did not start");
  return result;
}

} // namespace

private_postgres::private_postgres(bool synced) {
  launch(synced);
  try {
    expect_ok();
    start();
  } catch (...) {
    end();
    throw;
  }
}

private_postgres::~private_postgres() {
  end();
}

private_postgres& private_postgres::shared() {
  static private_postgres result;
  return result;
}

std::string private_postgres::new_schema() {
  auto address = "host=" + dir_.path().string() + " user=scratchpage dbname=postgres";
  auto name = "of_test_" + std::to_string(++schemas_);
  sql::postgres(address)()->script("CREATE SCHEMA " + name);
  return address + " options='-c search_path=" + name + "'";
}

void private_postgres::tell(const std::string& verb) {
  std::fputs((verb + "\n").c_str(), to_);
  std::fflush(to_);
  expect_ok();
}

void private_postgres::expect_ok() {
  std::string line;
  for (int c = std::fgetc(from_); c != EOF && c != '\n'; c = std::fgetc(from_))
    line += static_cast<char>(c);
  if (line != "ok")
    throw std::runtime_error("PostgreSQL for tests: " + line);
}

void private_postgres::launch(bool synced) {
  auto to = make_pipe();
  auto from = make_pipe();
  script_ = spawn(dir_.path().string(), synced, to.read, from.write);
  ::close(to.read);
  ::close(from.write);
  to_ = ::fdopen(to.write, "w");
  from_ = ::fdopen(from.read, "r");
}

/// Closes the script's standard input, which ends the script and the server.
void private_postgres::end() {
  std::fclose(to_);
  ::waitpid(script_, nullptr, 0);
  std::fclose(from_);
}

} // namespace scratchpage::test
