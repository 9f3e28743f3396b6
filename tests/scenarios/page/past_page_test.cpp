#include <boost/test/unit_test.hpp>

#include <map>
#include <random>

#include "scratchpage/actors/storage/archive_reader.hpp"
#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"
#include "scratchpage/tests/scenarios/page/page_fixture.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/trace_replay.hpp"

/// A past page, rebuilt from the journal, is what callers saw at that time.

namespace scratchpage::test {

namespace {

template <class Observations>
std::string lines_of(const Observations& page) {
  std::string result;
  for (const auto& [number, x] : page)
    result += text_of(*x) + "\n";
  return result;
}

/// A small page on a store, with random operations. Remembers what callers saw after each.
struct remembered_page : page_fixture {
  std::shared_ptr<memory_store> kept = std::make_shared<memory_store>();
  std::map<uint64_t, std::string> seen_after; // by sequence
  std::map<timestamp, std::string> seen_at;
  std::mt19937_64 random{20251105};

  remembered_page() {
    setup.limits.max_observations = 6;
    setup.owner = value(kept->claim("tester"));
    setup.recovered =
      std::make_shared<const recovered_page>(value(recover(*kept, setup.owner, 1000)));
    setup.journal = make<journal_state>(kept, driver.clock(), journal_config{});
    setup.archive = make<archive_reader>(kept, setup.owner.agent, driver.clock());
    start();
    settle();
  }

  uint64_t below(uint64_t n) { return random() % n; }

  void step(uint64_t& last) {
    constexpr std::array lifetimes{0.0, 1.0, 5.0, 60.0, 10'080.0};
    auto some = id(static_cast<unsigned>(1 + below(last + 1)));
    switch (below(8)) {
    case 0:
      std::ignore = try_update(some, {.content = "changed " + std::to_string(below(100))});
      break;
    case 1:
      std::ignore = try_update(some, {.status = static_cast<status>(below(4))});
      break;
    case 2:
      std::ignore = ask(page, archive_observation{as_daemon("planner"), some});
      break;
    case 3:
      std::ignore = ask(page, link_observations{as_daemon("frontal_cortex"), "goal_1", {some}});
      break;
    case 4:
      advance(std::chrono::seconds{1 + below(120)});
      break;
    default:
      if (try_add(lasting(lifetimes[below(lifetimes.size())], note("content"))))
        ++last;
    }
    settle();
    remember();
  }

  void remember() {
    std::map<uint64_t, observation_ptr> shown;
    for (const auto& x : query(asking(anything())).observations)
      shown.emplace(std::stoull(number_of(*x)), x);
    seen_after[stats().sequence] = lines_of(shown);
    seen_at[now()] = lines_of(shown);
  }

  std::string past(const moment& until) {
    return lines_of(value(page_at(*kept, setup.owner.agent, until)).page.observations);
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_past_page_is_what_callers_saw_then, remembered_page) {
  auto watcher = watch_page();
  uint64_t last = 0;
  for (int i = 0; i < 400; ++i)
    step(last);
  BOOST_TEST(seen_after.size() > 100u);
  seen_after.erase(0); // there is no past page before the first change
  for (const auto& [sequence, shown] : seen_after)
    BOOST_TEST(past(sequence) == shown);
  auto first = watcher.log->events.front().at;
  for (const auto& [at, shown] : seen_at)
    if (at >= first)
      BOOST_TEST(past(at) == shown);
  // No query can run between the changes of one call: there, compare with the events.
  std::map<uint64_t, observation_ptr> mirror;
  for (const auto& event : watcher.log->events) {
    auto number = std::stoull(number_of(*event.observation));
    if (is_end(event.kind))
      mirror.erase(number);
    else
      mirror.insert_or_assign(number, event.observation);
    auto shown = mirror;
    std::erase_if(shown, [&](const auto& x) { return x.second->expires_at <= event.at; });
    BOOST_TEST(past(event.sequence) == lines_of(shown));
  }
}

BOOST_FIXTURE_TEST_CASE(the_journal_and_the_trace_tell_the_same_end, remembered_page) {
  uint64_t last = 0;
  for (int i = 0; i < 200; ++i)
    step(last);
  auto traced = value(replay(trace->entries()));
  std::map<uint64_t, observation_ptr> by_number;
  for (auto& [observation_id, x] : traced)
    by_number.emplace(std::stoull(number_of(x)), observation_ptr{x});
  BOOST_TEST(past(stats().sequence) == lines_of(by_number));
}

} // namespace scratchpage::test
