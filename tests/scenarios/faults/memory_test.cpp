#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/tests/support/allocated_bytes.hpp"
#include "scratchpage/tests/support/durable_team.hpp"

/// The memory of an agent depends on what is on its page, not on how long it has been running.

namespace scratchpage::test {

namespace {

/// A team with small limits and long inputs, so that its page, its logs and SQLite's caches are
/// full soon.
struct busy_team : durable_team {
  busy_team() {
    auto& page = setup.config.page;
    page.log_capacity = 512;
    page.max_observations = 360;
    page.ranked_cursors = 2;
    setup.config.journal.fold_after = 256;
    setup.config.turns.kept_results = 4;
    setup.config.executor.max_executions = 4;
    begin();
  }

  /// One minute of traffic in virtual time.
  void minute() {
    for (int i = 0; i < 6; ++i) {
      add_observations some;
      some.by = as_tool("sensors");
      for (int n = 0; n < 10; ++n)
        some.drafts.push_back(reading());
      anon_tell(host->page(), std::move(some)); // `send` would keep each answer
      advance(std::chrono::seconds{10});
    }
    say("Is there anything new about sensor " + std::to_string(read_ % 10) + "?");
    trace->take(); // empties the trace, which would grow
  }

  observation_draft reading() {
    ++read_;
    auto sensor = std::to_string(read_ % 50);
    auto x = draft("observation",
      "Sensor " + sensor + " reads " + std::string(2'000, '7') + std::to_string(read_), 0.5,
      {"sensor", "n" + sensor});
    x.ttl_minutes = 5;
    return x;
  }

  /// The largest number of allocated bytes at the end of a minute. It varies, since the log frees
  /// memory in whole segments.
  size_t most_in_an_hour() {
    size_t most = 0;
    for (int i = 0; i < 60; ++i) {
      minute();
      most = std::max(most, allocated_bytes());
    }
    return most;
  }

private:
  uint64_t read_ = 0;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(memory_stays_flat_over_an_hour_of_traffic_with_expiry, busy_team) {
  auto early = most_in_an_hour();
  auto late = most_in_an_hour();
  auto stats = value(ask(host->page(), caf::get_atom_v));
  BOOST_TEST(stats.expired > 1'000u);
  BOOST_TEST(stats.observations < 500u);
  BOOST_TEST_MESSAGE("allocated in the first hour " << early << ", in the second " << late);
  // The 6 % allow for SQLite's caches, which are not quite full after the first hour. The inputs of
  // the second hour are nine megabytes, so that keeping a tenth of them would exceed it.
  BOOST_TEST(static_cast<double>(late) < static_cast<double>(early) * 1.06);
}

} // namespace scratchpage::test
