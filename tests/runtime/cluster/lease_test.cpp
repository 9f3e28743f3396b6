#include <boost/test/unit_test.hpp>

#include <chrono>
#include <random>
#include <vector>

#include "scratchpage/runtime/cluster/node_lease.hpp"
#include "scratchpage/runtime/cluster/peer_watch.hpp"

/// The lease of a node: while the node answers reads, no other says that it is down.

namespace scratchpage::cluster {

namespace {

using namespace std::chrono_literals;

constexpr timespan lease = 5s;

struct watching {
  peer_watch watch;
  uint64_t beat = 1;

  /// A look that takes no time.
  void look(timespan at) { look(at, at); }

  void look(timespan sent, timespan answered) {
    const std::vector<seen_beat> all{{{"a", 1}, beat, lease}};
    watch.note(all, sent, answered);
  }

  bool is_overdue() const { return !watch.overdue().empty(); }
};

} // namespace

BOOST_AUTO_TEST_SUITE(lease_of_a_node)

BOOST_AUTO_TEST_CASE(it_is_not_good_before_the_first_beat) {
  node_lease own{lease};
  BOOST_TEST(!own.is_good(0s));
}

BOOST_AUTO_TEST_CASE(it_ends_a_hundredth_and_a_quarter_of_a_second_early) {
  node_lease own{lease};
  own.extend(10s);
  BOOST_TEST(own.is_good(10s + 4'699ms));
  BOOST_TEST(!own.is_good(10s + 4'700ms));
}

BOOST_AUTO_TEST_CASE(an_answer_that_comes_late_does_not_shorten_it) {
  node_lease own{lease};
  own.extend(12s);
  own.extend(10s); // sent before, answered after
  BOOST_TEST(own.is_good(12s + 4'699ms));
}

BOOST_AUTO_TEST_CASE(it_does_not_come_back_after_its_end) {
  node_lease own{lease};
  own.extend(10s);
  own.end();
  own.extend(11s);
  BOOST_TEST(!own.is_good(11s));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(watch_of_peers, watching)

BOOST_AUTO_TEST_CASE(a_beat_that_is_the_same_for_the_whole_lease_is_overdue) {
  for (timespan at = 0s; at <= 5'050ms; at += 250ms) {
    look(at);
    BOOST_TEST(!is_overdue());
  }
  look(5'050ms);
  BOOST_TEST(is_overdue());
  BOOST_TEST(watch.overdue()[0].beat == 1u);
}

BOOST_AUTO_TEST_CASE(a_new_beat_begins_the_wait_anew) {
  for (timespan at = 0s; at <= 4s; at += 1s)
    look(at);
  ++beat;
  for (timespan at = 5s; at <= 10s; at += 1s)
    look(at);
  BOOST_TEST(!is_overdue()); // five seconds since the new beat
  look(10'500ms);
  BOOST_TEST(is_overdue());
}

BOOST_AUTO_TEST_CASE(a_gap_of_more_than_a_quarter_of_the_lease_begins_the_wait_anew) {
  look(0s);
  look(1s);
  look(1s + 1'251ms);
  for (timespan at = 3s; at <= 7'250ms; at += 1s)
    look(at);
  BOOST_TEST(!is_overdue());
  look(1s + 1'251ms + 5'050ms);
  BOOST_TEST(is_overdue());
}

BOOST_AUTO_TEST_CASE(an_hour_without_the_store_takes_no_page_from_anybody) {
  look(0s);
  look(1h);
  BOOST_TEST(!is_overdue());
}

BOOST_AUTO_TEST_CASE(time_counts_from_an_answer_to_the_next_question) {
  look(0s, 1s);
  for (timespan at = 2s; at < 6s; at += 1s)
    look(at);
  look(6'049ms, 7s);
  BOOST_TEST(!is_overdue());
  look(7s + 50ms);
  BOOST_TEST(is_overdue());
}

BOOST_AUTO_TEST_CASE(a_node_that_is_gone_and_comes_again_is_watched_anew) {
  for (timespan at = 0s; at <= 4s; at += 1s)
    look(at);
  watch.note({}, 5s, 5s);
  BOOST_TEST(!is_overdue());
  look(6s);
  BOOST_TEST(!is_overdue());
}

BOOST_AUTO_TEST_CASE(incarnations_of_a_node_are_watched_by_themselves) {
  for (timespan at = 0s; at <= 4s; at += 1s)
    look(at);
  const std::vector<seen_beat> next{{{"a", 2}, 1, lease}};
  watch.note(next, 5'100ms, 5'100ms);
  BOOST_TEST(!is_overdue());
}

BOOST_AUTO_TEST_SUITE_END()

// -- both together ------------------------------------------------------------------------

namespace {

using milliseconds = double; // of real time

/// A clock that is a hundredth too fast or too slow at most.
struct skewed_clock {
  double pace;
  timespan at(milliseconds real) const { return from_milliseconds(real * pace + 1'000'000); }
};

/// A beat or a look: when it is sent, when the store handles it, and when its answer comes.
struct exchange_with_store {
  milliseconds sent, handled, answered;
  bool is_lost; ///< its answer never comes
};

/// One run of a node that beats and another that looks, with random delays, losses and pauses.
/// Returns whether the node would have answered a read at a time when the other had already
/// declared it down.
bool is_violated(uint64_t seed) {
  std::mt19937_64 random{seed};
  auto chance = [&](double of) { return std::uniform_real_distribution{}(random) < of; };
  auto between = [&](double a, double b) { return std::uniform_real_distribution{a, b}(random); };
  const skewed_clock owner{between(0.99, 1.01)};
  const skewed_clock other{between(0.99, 1.01)};
  auto plan = [&](milliseconds every) {
    std::vector<exchange_with_store> result;
    for (milliseconds at = between(0, every); at < 60'000;) {
      auto out = chance(0.1) ? between(0, 6'000) : between(0, 20);
      auto back = chance(0.1) ? between(0, 6'000) : between(0, 20);
      result.push_back({at, at + out, at + out + back, chance(0.05)});
      at = std::max(at + out + back, at + every) + (chance(0.05) ? between(0, 8'000) : 0);
    }
    return result;
  };
  const auto beats = plan(1'000);
  const auto looks = plan(250);
  peer_watch watch;
  milliseconds declared = -1;
  for (const auto& look : looks) {
    if (look.is_lost)
      continue;
    uint64_t beat = 0;
    for (const auto& x : beats)
      beat += x.handled <= look.handled ? 1 : 0;
    const std::vector<seen_beat> all{{{"a", 1}, beat, lease}};
    watch.note(all, other.at(look.sent), other.at(look.answered));
    if (!watch.overdue().empty()) {
      // The store declares it down only if the beat is still the same a moment later.
      auto until = look.answered + between(0, 50);
      uint64_t then = 0;
      for (const auto& x : beats)
        then += x.handled <= until ? 1 : 0;
      if (then == watch.overdue()[0].beat) {
        declared = until;
        break;
      }
    }
  }
  if (declared < 0)
    return false;
  node_lease own{lease};
  for (const auto& x : beats)
    if (!x.is_lost && x.handled < declared) // later ones find that the node is down
      own.extend(owner.at(x.sent));
  return own.is_good(owner.at(declared));
}

} // namespace

BOOST_AUTO_TEST_CASE(no_node_answers_reads_when_another_has_declared_it_down) {
  for (uint64_t seed = 1; seed <= 20'000; ++seed)
    BOOST_REQUIRE_MESSAGE(!is_violated(seed), "seed " << seed);
}

} // namespace scratchpage::cluster
