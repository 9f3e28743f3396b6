#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/storage/snapshot_progress.hpp"

namespace scratchpage {

namespace {

/// The same, found by looking at all agents.
struct plain_progress {
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> agents; // last and snapshot

  uint64_t most_behind() const {
    uint64_t result = 0;
    for (const auto& [agent, x] : agents)
      result = std::max(result, x.first - x.second);
    return result;
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(progress_of_snapshots)

BOOST_AUTO_TEST_CASE(has_only_agents_that_are_behind) {
  snapshot_progress x;
  BOOST_TEST(x.furthest() == nullptr);
  x.note_snapshot(1, 5); // nobody
  x.note_written({1, 1}, 10, 12);
  x.note_written({2, 1}, 0, 7);
  BOOST_TEST(x.furthest()->by.agent == 2u);
  BOOST_TEST(x.furthest()->behind() == 7u);
  x.note_snapshot(2, 6);
  BOOST_TEST(x.furthest()->by.agent == 1u);
  x.note_snapshot(1, 12);
  x.note_snapshot(2, 99); // further than was known
  BOOST_TEST(x.furthest() == nullptr);
  BOOST_TEST(x.size() == 0u);
}

BOOST_AUTO_TEST_CASE(goes_on_with_the_owner_that_wrote_last) {
  snapshot_progress x;
  x.note_written({1, 1}, 0, 3);
  x.note_written({1, 2}, 2, 4); // which has replaced the third change
  BOOST_TEST(x.find(1)->by.epoch == 2u);
  BOOST_TEST(x.find(1)->behind() == 4u);
  x.note_written({1, 3}, 0, 0);
  BOOST_TEST(x.size() == 0u);
}

BOOST_AUTO_TEST_CASE(is_that_of_a_look_at_all_agents) {
  snapshot_progress tested;
  plain_progress model;
  std::mt19937 chance{20261128};
  for (int i = 0; i < 20'000; ++i) {
    auto agent = 1 + chance() % 50;
    auto known = model.agents.find(agent);
    if (known != model.agents.end() && chance() % 3 == 0) {
      auto& [last, snapshot] = known->second;
      snapshot += chance() % (last - snapshot + 1);
      tested.note_snapshot(agent, snapshot);
      if (snapshot == last)
        model.agents.erase(known);
    } else {
      auto after = known == model.agents.end() ? chance() % 100 : known->second.first;
      auto last = after + 1 + chance() % 20;
      model.agents.try_emplace(agent, last, after).first->second.first = last;
      tested.note_written({agent, 1}, after, last);
    }
    BOOST_REQUIRE(tested.size() == model.agents.size());
    const auto* furthest = tested.furthest();
    BOOST_REQUIRE((furthest == nullptr ? 0 : furthest->behind()) == model.most_behind());
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
