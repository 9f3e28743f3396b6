#define BOOST_TEST_MODULE crash
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <sstream>
#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/host/storage.hpp"
#include "scratchpage/tests/crash/victim.hpp"
#include "scratchpage/tests/support/kept_history.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// A process that acknowledges writes under load is killed at random moments, many times
/// with the same data: everything that was acknowledged is there exactly once.

namespace scratchpage::test {

namespace {

/// How often the writer is killed with the same data. Evidence of open goals is never
/// evicted: after about six hundred kills the page would have nothing else and refuse
/// all additions. Besides, each check reads everything that was ever acknowledged.
constexpr int kills_on_the_same_data = 250;

std::string writer_program() {
  return program_to_kill(1);
}

/// Reads a line of the process; a "kept" line adds to `so_far`.
void note_line(const std::string& line, acknowledged& so_far) {
  std::istringstream words{line};
  std::string what;
  std::string content;
  std::string id;
  words >> what >> content >> id;
  if (what != "kept")
    return;
  observation added;
  added.observation_id = id;
  added.content = content;
  note(added, so_far);
}

/// Reads lines until `kept` more additions were acknowledged.
void await_kept(victim& process, int kept, acknowledged& so_far) {
  std::string line;
  auto before = so_far.size();
  auto refused = 0;
  while (so_far.size() - before < static_cast<size_t>(kept)) {
    BOOST_REQUIRE_MESSAGE(process.read_line(line), "the process has ended by itself");
    BOOST_REQUIRE_MESSAGE(!line.starts_with("refused") || ++refused < 20'000, line);
    note_line(line, so_far);
  }
}

/// Runs the process until `kept` additions were acknowledged, kills it, and reads its last lines.
/// With `meanwhile`: then calls it and waits for as many more before the kill.
void run_and_kill(const std::string& data, int run, int kept, acknowledged& so_far,
  const std::function<void()>& meanwhile = {}) {
  victim process{{writer_program(), data, "run" + std::to_string(run)}};
  std::string line;
  BOOST_REQUIRE(process.read_line(line));
  BOOST_REQUIRE(line == "started");
  await_kept(process, kept, so_far);
  if (meanwhile) {
    meanwhile();
    await_kept(process, kept, so_far);
  }
  process.kill();
  while (process.read_line(line))
    note_line(line, so_far);
}

void check(const std::string& data, const acknowledged& so_far) {
  auto opened = storage::open(data);
  BOOST_REQUIRE_MESSAGE(opened, (opened ? "" : describe(opened.error())));
  auto owner = opened->store->claim("crash");
  BOOST_REQUIRE(owner);
  check_history(*opened->store, *owner, so_far);
}

/// Kills the writer `crashes()` times, each time after fewer than `most_kept` more
/// acknowledgements, and tests after each that all are there.
void kill_over_and_over(
  const std::function<std::string()>& new_data, uint32_t most_kept, uint32_t seed) {
  BOOST_REQUIRE_MESSAGE(!writer_program().empty(), "the program to kill is the first argument");
  std::mt19937 random{seed};
  std::string data;
  acknowledged so_far;
  size_t in_all = 0;
  for (int run = 0; run < crashes(); ++run) {
    if (run % kills_on_the_same_data == 0) {
      in_all += so_far.size();
      so_far.clear();
      data = new_data();
    }
    run_and_kill(data, run, static_cast<int>(random() % most_kept), so_far);
    check(data, so_far);
  }
  in_all += so_far.size();
  BOOST_TEST_MESSAGE(in_all << " acknowledged, " << crashes() << " times killed");
  BOOST_TEST(in_all > most_kept / 8 * static_cast<size_t>(crashes()));
}

} // namespace

BOOST_AUTO_TEST_CASE(what_was_acknowledged_survives_being_killed_over_and_over) {
  temp_dir folder;
  auto number = 0;
  auto new_directory = [&] { return (folder.path() / std::to_string(++number)).string(); };
  kill_over_and_over(new_directory, 400, 20251105);
}

BOOST_AUTO_TEST_CASE(what_was_acknowledged_survives_on_postgresql_too) {
  kill_over_and_over([] { return private_postgres::shared().new_schema(); }, 200, 20251106);
}

BOOST_AUTO_TEST_CASE(what_was_acknowledged_survives_when_the_server_is_killed_under_it) {
  BOOST_REQUIRE_MESSAGE(!writer_program().empty(), "the program to kill is the first argument");
  auto& server = private_postgres::shared();
  auto data = server.new_schema();
  std::mt19937 random{20251107};
  acknowledged so_far;
  auto restart = [&server] {
    server.crash();
    server.start();
  };
  for (int run = 0; run < std::max(crashes() / 5, 1); ++run) {
    run_and_kill(data, run, 1 + static_cast<int>(random() % 100), so_far, restart);
    check(data, so_far);
  }
  BOOST_TEST_MESSAGE(so_far.size() << " acknowledged");
  BOOST_TEST(so_far.size() > 0u);
}

} // namespace scratchpage::test
