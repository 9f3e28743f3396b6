#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/trace/stored_trace.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// The traces of many agents, which one writer writes.

namespace scratchpage::test {

namespace {

struct noon : scratchpage::clock {
  timestamp now() const override { return *from_rfc3339("2026-01-01T12:00:00Z"); }
};

struct shared_writer : temp_dir {
  std::shared_ptr<trace_store> store =
    std::move(trace_store::open(sql::sqlite(path() / "trace.db", {.synced = false})).value());
  std::shared_ptr<trace_writer> writer = std::make_shared<trace_writer>(store);
  std::shared_ptr<noon> clock = std::make_shared<noon>();

  trace_entry entry(const std::string& operation) const {
    trace_entry result;
    result.at = clock->now();
    result.turn_id = "turn";
    result.component = "page";
    result.operation = operation;
    result.status = "success";
    return result;
  }

  std::vector<std::string> operations_of(const std::string& agent_id) {
    std::vector<std::string> result;
    std::ignore = store->read(agent_id, "", [&](trace_entry&& x) {
      result.push_back(x.operation);
      return true;
    });
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(writers_of_traces, shared_writer)

BOOST_AUTO_TEST_CASE(each_agent_gets_its_own_entries_in_order) {
  std::vector<std::unique_ptr<stored_trace>> traces;
  for (int i = 0; i < 50; ++i)
    traces.push_back(std::make_unique<stored_trace>(
      writer, "agent " + std::to_string(i), 1, clock, trace_config{}));
  for (int n = 0; n < 60; ++n)
    for (int i = 0; i < 50; ++i)
      traces[i]->write(entry(std::to_string(n) + " of " + std::to_string(i)));
  for (const auto& x : traces)
    x->flush();
  for (int i = 0; i < 50; ++i) {
    auto found = operations_of("agent " + std::to_string(i));
    BOOST_REQUIRE(found.size() == 60u);
    for (int n = 0; n < 60; ++n)
      BOOST_TEST(found[n] == std::to_string(n) + " of " + std::to_string(i));
  }
}

BOOST_AUTO_TEST_CASE(an_agent_that_traces_too_much_loses_entries_and_the_others_none) {
  trace_config small;
  small.max_waiting = 10;
  stored_trace noisy{writer, "noisy", 1, clock, small};
  stored_trace quiet{writer, "quiet", 1, clock, {}};
  for (int i = 0; i < 20'000; ++i)
    noisy.write(entry("noise"));
  quiet.write(entry("word"));
  quiet.flush();
  noisy.flush();
  noisy.write(entry("last")); // an entry with the number of those that were dropped follows
  noisy.flush();
  BOOST_TEST(
    operations_of("quiet") == std::vector<std::string>{"word"}, boost::test_tools::per_element());
  auto found = operations_of("noisy");
  BOOST_TEST(found.size() < 20'000u);
  BOOST_TEST(std::count(found.begin(), found.end(), "drop_entries") > 0);
}

BOOST_AUTO_TEST_CASE(what_waits_is_written_when_the_last_of_them_ends) {
  {
    stored_trace first{writer, "ada", 1, clock, {}};
    stored_trace second{std::exchange(writer, nullptr), "bob", 1, clock, {}};
    first.write(entry("one"));
    second.write(entry("two"));
  }
  BOOST_TEST(operations_of("ada").size() == 1u);
  BOOST_TEST(operations_of("bob").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_run_that_begins_while_entries_of_the_last_one_wait_comes_after_them) {
  auto first = std::make_unique<stored_trace>(writer, "ada", 1, clock, trace_config{});
  first->write(entry("before"));
  first.reset();
  stored_trace second{writer, "ada", 2, clock, {}};
  second.write(entry("after"));
  second.flush();
  auto found = operations_of("ada");
  BOOST_REQUIRE(found.size() == 2u);
  BOOST_TEST(found[0] == "before");
  BOOST_TEST(found[1] == "after");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
