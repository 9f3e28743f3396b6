#define BOOST_TEST_MODULE crash
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <sstream>
#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/storage.hpp"
#include "scratchpage/tests/crash/victim.hpp"
#include "scratchpage/tests/support/kept_history.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// A process that acknowledges writes under load is killed at a random moment,
/// over and over on the same data: what was acknowledged is there, once.

namespace scratchpage::test {

namespace {

std::string writer_program() {
  return program_to_kill(1);
}

/// A line of the process that says what was kept.
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

/// Reads on until so many more were kept.
void await_kept(victim& process, int kept, acknowledged& so_far) {
  std::string line;
  auto before = so_far.size();
  auto refused = 0;
  while (so_far.size() - before < static_cast<size_t>(kept)) {
    BOOST_REQUIRE_MESSAGE(process.read_line(line), "it has ended by itself");
    BOOST_REQUIRE_MESSAGE(line != "refused" || ++refused < 20'000, "everything is refused");
    note_line(line, so_far);
  }
}

/// Lets it run until so many were kept, kills it, and reads what it still said.
/// `meanwhile` happens after as many.
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

} // namespace

BOOST_AUTO_TEST_CASE(what_was_acknowledged_survives_being_killed_over_and_over) {
  BOOST_REQUIRE_MESSAGE(!writer_program().empty(), "the program to kill is the first argument");
  temp_dir folder;
  auto data = (folder.path() / "data").string();
  std::mt19937 random{20251105};
  acknowledged so_far;
  for (int run = 0; run < crashes(); ++run) {
    auto kept = static_cast<int>(random() % 400);
    run_and_kill(data, run, kept, so_far);
    check(data, so_far);
  }
  BOOST_TEST_MESSAGE(so_far.size() << " acknowledged, " << crashes() << " times killed");
  BOOST_TEST(so_far.size() > 50u * static_cast<size_t>(crashes()));
}

BOOST_AUTO_TEST_CASE(what_was_acknowledged_survives_on_postgresql_too) {
  BOOST_REQUIRE_MESSAGE(!writer_program().empty(), "the program to kill is the first argument");
  auto data = private_postgres::shared().new_schema();
  std::mt19937 random{20251106};
  acknowledged so_far;
  for (int run = 0; run < crashes(); ++run) {
    run_and_kill(data, run, static_cast<int>(random() % 200), so_far);
    check(data, so_far);
  }
  BOOST_TEST_MESSAGE(so_far.size() << " acknowledged, " << crashes() << " times killed");
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
}

} // namespace scratchpage::test
