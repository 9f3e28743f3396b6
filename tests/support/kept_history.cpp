#include "scratchpage/tests/support/kept_history.hpp"

#include <set>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/recovery.hpp"

namespace scratchpage::test {

namespace {

/// The content of a store's whole journal.
struct kept_history {
  uint64_t last = 0;                                   // sequence of the last event
  acknowledged changes;                                // all changes that the journal has
  std::set<std::string> ids;                           // of added observations
  std::set<std::string> words;                         // contents of tools' observations
  std::map<std::string, std::set<std::string>> linked; // by goal: ids linked to it now
};

void take_addition(const observation& x, kept_history& all) {
  BOOST_TEST(all.ids.insert(x.observation_id).second, "twice: " << x.observation_id);
  if (x.source.kind == source_kind::tool)
    BOOST_TEST(all.words.insert(x.content).second, "twice: " << x.content);
}

void take(const page_event& event, kept_history& all) {
  BOOST_REQUIRE_EQUAL(event.sequence, all.last + 1);
  all.last = event.sequence;
  const auto& x = *event.observation;
  if (event.kind == event_kind::added)
    take_addition(x, all);
  else
    BOOST_TEST(all.ids.contains(x.observation_id));
  if (!is_end(event.kind)) // an end does not change the revision
    note(x, all.changes);
  for (auto& [goal, ids] : all.linked)
    ids.erase(x.observation_id);
  for (const auto& goal : x.linked_goal_ids)
    all.linked[goal].insert(x.observation_id);
}

kept_history read_history(store& from, uint64_t agent) {
  kept_history all;
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

} // namespace

void note(const observation& x, acknowledged& to) {
  auto is_new = to.emplace(std::pair{x.observation_id, x.revision}, x.content).second;
  BOOST_TEST(is_new, x.observation_id << " has revision " << x.revision << " twice");
}

size_t check_history(store& of, const ownership& by, const acknowledged& so_far) {
  auto page = recover(of, by, 10);
  BOOST_REQUIRE_MESSAGE(page, (page ? "" : describe(page.error())));
  BOOST_TEST(page->damage == "");
  auto all = read_history(of, by.agent);
  BOOST_TEST(page->sequence == all.last);
  for (const auto& [change, content] : so_far) {
    auto found = all.changes.find(change);
    BOOST_REQUIRE_MESSAGE(found != all.changes.end(),
      "lost: " << change.first << " revision " << change.second << " " << content);
    BOOST_TEST(found->second == content);
  }
  auto goals = read_all<goal>(of, by.agent, collection::goals);
  BOOST_REQUIRE(goals);
  size_t evidence = 0;
  for (const auto& goal : *goals)
    for (const auto& id : goal.observation_ids) {
      BOOST_TEST(all.linked[goal.goal_id].contains(id), goal.goal_id << " lacks " << id);
      ++evidence;
    }
  return evidence;
}

} // namespace scratchpage::test
