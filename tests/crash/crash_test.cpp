#define BOOST_TEST_MODULE crash
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratchpage/actors/tools/spawn_child.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal_text.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/runtime/storage.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// A process that acknowledges writes under load is killed at a random moment,
/// over and over on the same data: what was acknowledged is there, once.

namespace scratchpage::test {

namespace {

std::string writer_program() {
  const auto& suite = boost::unit_test::framework::master_test_suite();
  return suite.argc > 1 ? suite.argv[1] : "";
}

/// How often; SCRATCHPAGE_CRASHES sets another number.
int crashes() {
  const auto* text = std::getenv("SCRATCHPAGE_CRASHES");
  return text == nullptr ? 50 : std::atoi(text);
}

/// The process that is there to be killed.
class victim {
public:
  victim(const std::string& data, const std::string& run)
    : child_{spawn_child({{writer_program(), data, run}, {}, {}})} {
    BOOST_REQUIRE_MESSAGE(child_.pid > 0, child_.error);
  }

  /// The next line, or nothing when it has ended.
  bool read_line(std::string& line) {
    while (true) {
      if (auto end = buffer_.find('\n'); end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return true;
      }
      pollfd ready{child_.out.get(), POLLIN, 0};
      constexpr int patience_ms = 60'000;
      BOOST_REQUIRE_MESSAGE(::poll(&ready, 1, patience_ms) == 1, "it says nothing any more");
      std::array<char, 65'536> part;
      auto size = ::read(child_.out.get(), part.data(), part.size());
      if (size <= 0)
        return false;
      buffer_.append(part.data(), static_cast<size_t>(size));
    }
  }

  void kill() const { ::kill(child_.pid, SIGKILL); }

  ~victim() {
    kill();
    ::waitpid(child_.pid, nullptr, 0);
  }

private:
  spawned_child child_;
  std::string buffer_;
};

/// What was acknowledged so far: contents by id.
using acknowledged = std::map<std::string, std::string>;

void note(const std::string& line, acknowledged& so_far) {
  std::istringstream words{line};
  std::string what;
  std::string content;
  std::string id;
  words >> what >> content >> id;
  if (what != "kept")
    return;
  BOOST_TEST(!so_far.contains(id), id << " was given twice");
  so_far.emplace(id, content);
}

/// Reads on until so many more were kept.
void await_kept(victim& process, int kept, acknowledged& so_far) {
  std::string line;
  auto before = so_far.size();
  auto refused = 0;
  while (so_far.size() - before < static_cast<size_t>(kept)) {
    BOOST_REQUIRE_MESSAGE(process.read_line(line), "it has ended by itself");
    BOOST_REQUIRE_MESSAGE(line != "refused" || ++refused < 20'000, "everything is refused");
    note(line, so_far);
  }
}

/// Lets it run until so many were kept, kills it, and reads what it still said.
/// `meanwhile` happens after as many.
void run_and_kill(const std::string& data, int run, int kept, acknowledged& so_far,
  const std::function<void()>& meanwhile = {}) {
  victim process{data, "run" + std::to_string(run)};
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
    note(line, so_far);
}

/// What a store has, in all its journal.
struct history {
  uint64_t last = 0;                        // sequence
  std::map<std::string, std::string> added; // contents by id
  std::set<std::string> contents;
  std::map<std::string, std::set<std::string>> linked; // ids by goal, as they are now
};

void take(const page_event& event, history& all) {
  BOOST_REQUIRE_EQUAL(event.sequence, all.last + 1);
  all.last = event.sequence;
  const auto& x = *event.observation;
  if (event.kind == event_kind::added) {
    BOOST_TEST(
      all.added.emplace(x.observation_id, x.content).second, "twice: " << x.observation_id);
    BOOST_TEST(all.contents.insert(x.content).second, "twice: " << x.content);
  } else {
    BOOST_TEST(all.added.contains(x.observation_id));
  }
  for (auto& [goal, ids] : all.linked)
    ids.erase(x.observation_id);
  for (const auto& goal : x.linked_goal_ids)
    all.linked[goal].insert(x.observation_id);
}

history read_history(store& from, uint64_t agent) {
  history all;
  auto err = from.read_journal(agent, 0, [&](journal_group&& group) {
    auto events = events_of(group);
    BOOST_REQUIRE_MESSAGE(events, "group " << group.first);
    for (const auto& event : *events)
      take(event, all);
    return true;
  });
  BOOST_REQUIRE_MESSAGE(!err, (err ? describe(err) : ""));
  return all;
}

void check(const std::string& data, const acknowledged& so_far) {
  auto opened = storage::open(data);
  BOOST_REQUIRE_MESSAGE(opened, (opened ? "" : describe(opened.error())));
  auto owner = opened->store->claim("crash");
  BOOST_REQUIRE(owner);
  auto page = recover(*opened->store, *owner, 10);
  BOOST_REQUIRE_MESSAGE(page, (page ? "" : describe(page.error())));
  BOOST_TEST(page->damage == "");
  auto all = read_history(*opened->store, owner->agent);
  BOOST_TEST(page->sequence == all.last);
  for (const auto& [id, content] : so_far) {
    auto found = all.added.find(id);
    BOOST_REQUIRE_MESSAGE(found != all.added.end(), "lost: " << id << " " << content);
    BOOST_TEST(found->second == content);
  }
  auto goals = read_all<goal>(*opened->store, owner->agent, collection::goals);
  BOOST_REQUIRE(goals);
  for (const auto& goal : *goals)
    for (const auto& id : goal.observation_ids)
      BOOST_TEST(all.linked[goal.goal_id].contains(id), goal.goal_id << " lacks " << id);
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
