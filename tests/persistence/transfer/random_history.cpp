#include "scratchpage/tests/persistence/transfer/random_history.hpp"

#include <array>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/persistence/memories/stored_memories.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"
#include "scratchpage/tests/support/observations.hpp"

namespace scratchpage::test {

namespace {

constexpr std::array texts{"something", "write to ada@example.org", "line\nbreak",
  "\u00fc \"q\" \\", "card 4111 1111 1111 1111", "call me at 415-555-2671"};

std::string text(int how) {
  return texts[static_cast<size_t>(how) % texts.size()];
}

} // namespace

random_history::random_history(store& in, const std::string& agent_id)
  : in_{in},
    owner_{*in.claim(agent_id)} {}

void random_history::play(const std::vector<history_step>& steps) {
  for (const auto& x : steps)
    play(x);
  commit();
}

void random_history::play(const history_step& x) {
  auto [what, which, how] = x;
  auto pick = page_.empty() ? 0 : static_cast<size_t>(which) % page_.size();
  if (what > 3 && what < 8 && page_.empty())
    what = 0;
  switch (what) {
  case 4: {
    auto changed = page_[pick];
    changed.content = text(how);
    ++changed.revision;
    page_[pick] = changed;
    return happen(event_kind::updated, changed);
  }
  case 5: {
    auto linked = page_[pick];
    linked.linked_goal_ids = {"goal_" + std::to_string(how % 3)};
    linked.linked_to_goal = true;
    ++linked.revision;
    page_[pick] = linked;
    return happen(event_kind::linked, linked);
  }
  case 6:
  case 7: {
    constexpr std::array ends{event_kind::archived, event_kind::expired, event_kind::evicted};
    auto ended = page_[pick];
    auto kind = ends[static_cast<size_t>(how) % ends.size()];
    BOOST_REQUIRE(from_string(name_of(kind), ended.status));
    page_.erase(page_.begin() + static_cast<std::ptrdiff_t>(pick));
    return happen(kind, ended);
  }
  case 8:
    return commit();
  case 9: {
    goal made;
    made.goal_id = "goal_" + std::to_string(which % 3);
    made.goal_type = "handle";
    made.title = text(how);
    made.evidence = {{"obs_20251105_1", text(which), 0.1 + 0.2}};
    made.pending_actions = {{"a1", "warn", text(how + 1)}};
    return put(to_document(collection::goals, made.goal_id, made));
  }
  case 10: {
    fact learnt;
    learnt.fact_id = "fact_" + std::to_string(which % 3);
    learnt.statement = text(how);
    learnt.tags = {text(which)};
    return put(to_document(collection::facts, learnt.fact_id, learnt));
  }
  case 11: {
    episode told;
    told.turn_id = "turn_" + std::to_string(which % 3);
    told.observations = {observation_ptr{make(how)}};
    return put(to_story(told));
  }
  case 12:
    if (how % 3 == 0)
      return put(
        make_document("notes", "n" + std::to_string(which), R"({"by":"a@b.org","sequence":7})"));
    if (how % 3 == 1)
      return put(to_document(collection::counters, "turns", stored_number{"turns", 100}));
    return put(make_document(collection::types, "deployment", "\"deployment\""));
  default: {
    auto added = make(how);
    added.observation_id = plain_observation(++last_number_).observation_id;
    page_.push_back(added);
    return happen(event_kind::added, added);
  }
  }
}

observation random_history::make(int how) {
  auto x = plain_observation(1, text(how));
  x.confidence = 1.0 / (1 + how % 7);
  x.tags = {"tag", text(how + 1)};
  x.context = {{"goal_id", "trip"}, {text(how + 2), 1e-7 * how}};
  x.metadata = {{"deep", json::array{json::object{{"a", text(how + 3)}}, nullptr, -1}}};
  x.expires_at = at_ms(5 + how % 100);
  return x;
}

void random_history::happen(event_kind kind, observation x) {
  page_event event;
  event.sequence = events_.size() + 1;
  event.kind = kind;
  event.at = at_ms(static_cast<int64_t>(10 * event.sequence));
  event.turn_id = event.sequence % 3 == 0 ? "turn_1" : "";
  event.cause = event.sequence % 5;
  event.observation = observation_ptr{std::move(x)};
  events_.push_back(std::move(event));
}

void random_history::put(document x) {
  BOOST_REQUIRE(!in_.put(owner_, {&x, 1}));
}

void random_history::commit() {
  if (committed_ == events_.size())
    return;
  event_list group{
    std::vector(events_.begin() + static_cast<std::ptrdiff_t>(committed_), events_.end())};
  journal_append x{owner_, committed_, to_group(group), to_archive(group)};
  BOOST_REQUIRE(!in_.append_one(x));
  committed_ = events_.size();
}

void random_history::forget() {
  for (auto kind : {snapshot_kind::latest, snapshot_kind::oldest})
    BOOST_REQUIRE(advance_snapshot(in_, owner_, kind, committed_, UINT64_MAX));
  BOOST_REQUIRE(!in_.forget_journal(owner_, committed_));
}

} // namespace scratchpage::test
