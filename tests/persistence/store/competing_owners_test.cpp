#include <map>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"

/// Several threads at once. Each collects its errors as notes, which are tested when all have
/// ended.

namespace scratchpage {

using namespace test;

namespace {

using notes = std::vector<std::string>;

void check_empty(const std::vector<notes>& of_all) {
  for (const auto& of_one : of_all)
    for (const auto& note : of_one)
      BOOST_ERROR(note);
}

/// Runs `f(i, notes)` for each i below `count`, all at once.
template <class F>
void at_once(size_t count, F f) {
  std::vector<notes> found(count);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < count; ++i)
    threads.emplace_back([&, i] { f(i, found[i]); });
  for (auto& x : threads)
    x.join();
  check_empty(found);
}

void note_error(notes& to, const caf::error& err) {
  if (err)
    to.push_back(describe(err));
}

uint64_t key_of(store& in, const std::string& agent_id) {
  auto found = in.find_agent(agent_id);
  BOOST_REQUIRE((found && *found));
  return **found;
}

/// The last sequence of an agent's journal. Gaps between the groups go into `found`.
uint64_t end_of(store& x, uint64_t agent, notes& found) {
  uint64_t last = 0;
  auto err = x.read_journal(agent, 0, [&](journal_group&& one) {
    if (one.first != last + 1)
      found.push_back(
        "a gap between " + std::to_string(last) + " and " + std::to_string(one.first));
    last = one.last;
    return true;
  });
  note_error(found, err);
  return last;
}

/// Claims and appends until `enough` groups are acknowledged. Puts their epochs into
/// `acknowledged`, by sequence.
void compete(store& x, size_t enough, std::map<uint64_t, uint64_t>& acknowledged, notes& found) {
  while (acknowledged.size() < enough) {
    auto owner = x.claim("ada");
    if (!owner)
      return note_error(found, owner.error());
    caf::error err;
    for (auto last = end_of(x, owner->agent, found); !err && acknowledged.size() < enough; ++last) {
      err = append(x, next(*owner, last, 1, {archived(last + 1)}, std::to_string(owner->epoch)));
      if (!err)
        acknowledged[last + 1] = owner->epoch;
    }
    if (err && text_of(err) != "conflict epoch")
      return note_error(found, err);
  }
}

/// The epoch of each sequence in the journal.
std::map<uint64_t, uint64_t> epochs_in(store& x, uint64_t agent) {
  std::map<uint64_t, uint64_t> result;
  BOOST_TEST(!x.read_journal(agent, 0, [&](journal_group&& one) {
    result[one.first] = std::stoull(one.events);
    return true;
  }));
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(several_threads)

BOOST_AUTO_TEST_CASE_TEMPLATE(may_write_for_an_agent_each, Place, every_store) {
  constexpr uint64_t groups = 15;
  placed<Place> x;
  at_once(4, [&](size_t i, notes& found) {
    ownership owner;
    for (uint64_t last = 0; last < groups; ++last) {
      if (last % 5 == 0) {
        auto claimed = x.tested->claim("agent " + std::to_string(i));
        if (!claimed)
          return note_error(found, claimed.error());
        owner = *claimed;
      }
      note_error(found, append(*x.tested, next(owner, last, 1, {archived(last + 1)})));
    }
  });
  auto agents = x.tested->agents();
  BOOST_REQUIRE(agents);
  BOOST_TEST(agents->size() == 4u);
  for (const auto& id : *agents) {
    notes found;
    BOOST_TEST(end_of(*x.tested, key_of(*x.tested, id), found) == groups);
    check_empty({found});
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(may_begin_new_agents_in_several_processes, Place, every_store) {
  placed<Place> x;
  at_once(4, [&](size_t i, notes& found) {
    auto store = sql_store::open(x.place.connector());
    if (!store)
      return note_error(found, store.error());
    for (int n = 0; n < 5; ++n)
      if (auto owner = (*store)->claim(std::to_string(i) + "." + std::to_string(n)); !owner)
        note_error(found, owner.error());
  });
  auto agents = x.tested->agents();
  BOOST_REQUIRE(agents);
  BOOST_TEST(agents->size() == 20u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(compete_for_an_agent_and_lose_nothing, Place, every_store) {
  placed<Place> x;
  auto other = open(x.place.connector());
  std::vector<store*> stores{x.tested.get(), other.get()};
  std::vector<std::map<uint64_t, uint64_t>> acknowledged(2);
  at_once(2, [&](size_t i, notes& found) { compete(*stores[i], 15, acknowledged[i], found); });
  auto kept = epochs_in(*x.tested, key_of(*x.tested, "ada"));
  BOOST_TEST(kept.size() == 30u);
  uint64_t epoch = 0;
  for (auto [sequence, by] : kept) {
    BOOST_TEST(by >= epoch);
    epoch = by;
    auto in_either = acknowledged[0].contains(sequence) ? acknowledged[0] : acknowledged[1];
    BOOST_TEST(in_either[sequence] == by);
  }
  BOOST_TEST(contents_of(*other) == contents_of(*x.tested));
}

/// Each thread names the agents in another order; this must not cause a deadlock.
BOOST_AUTO_TEST_CASE_TEMPLATE(may_write_for_several_agents_at_once, Place, every_store) {
  placed<Place> x;
  auto other = open(x.place.connector());
  std::vector<store*> stores{x.tested.get(), other.get()};
  auto ada = claim(*other, "ada");
  auto bob = claim(*other, "bob");
  at_once(2, [&](size_t i, notes& found) {
    std::vector xs{next(i == 0 ? ada : bob, 0), next(i == 0 ? bob : ada, 0)};
    for (int n = 0; n < 15; ++n)
      for (const auto& verdict : stores[i]->append(xs))
        note_error(found, verdict);
  });
  for (auto agent : {ada.agent, bob.agent})
    BOOST_TEST(read_journal(*other, agent) == text_of(std::vector{group(1, 1)}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
