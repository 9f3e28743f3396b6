#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/memories/stored_memories.hpp"
#include "scratchpage/persistence/privacy/retention.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/support/faulty_store.hpp"
#include "scratchpage/tests/support/observations.hpp"

/// Purging and forgetting, in every store.

namespace scratchpage {

using namespace test;

namespace {

const std::string secret = "anna@example.org";
const std::string said = "Quicksilver is what anna@example.org likes";
constexpr timespan day = std::chrono::hours{24};

observation holding(uint64_t number, const std::string& content) {
  auto x = plain_observation(number, content);
  x.tags = {"a tag"};
  x.context["mail"] = content;
  return x;
}

page_event event(uint64_t sequence, event_kind kind, observation x) {
  page_event result;
  result.sequence = sequence;
  result.kind = kind;
  result.at = at_ms(static_cast<int64_t>(sequence));
  result.observation = observation_ptr{std::move(x)};
  return result;
}

/// A stored history: observations 1 and 3 have personal data, and 3 is on the page. An earlier
/// revision of 2 had some. A goal, a fact and an episode quote them.
template <class Place>
struct kept_history {
  Place place;
  std::shared_ptr<sql_store> disk = open(place.connector());
  std::shared_ptr<faulty_store> in = std::make_shared<faulty_store>(*disk);
  ownership owner = claim(*disk);
  privacy_config config;

  kept_history() {
    add({event(1, event_kind::added, holding(1, said)),
      event(2, event_kind::added, holding(2, "Ask anna@example.org"))});
    BOOST_REQUIRE(advance_snapshot(*disk, owner, snapshot_kind::oldest, 2, 100));
    add({event(3, event_kind::added, holding(3, "Live: bob@example.net")),
      event(4, event_kind::updated, holding(2, "Ask Anna"))});
    BOOST_REQUIRE(advance_snapshot(*disk, owner, snapshot_kind::latest, 4, 100));
    add({event(5, event_kind::archived, holding(1, said)),
      event(6, event_kind::archived, holding(2, "Ask Anna"))});
    goal trip;
    trip.goal_id = "goal_1";
    trip.goal_type = "trip";
    trip.title = "Wine: Quicksilver is what an…";
    trip.observation_ids = {plain_observation(1).observation_id};
    trip.evidence = {{trip.observation_ids.front(), said, 0.9}};
    fact likes;
    likes.fact_id = "fact_1";
    likes.statement = "The best address is " + secret;
    episode turn{"turn_1", "", at_ms(1), at_ms(2),
      {observation_ptr{holding(1, said)}, observation_ptr{holding(2, "Ask anna@example.org")},
        observation_ptr{holding(3, "Live: bob@example.net")}}};
    std::vector<document> rows{to_document(collection::goals, "goal_1", trip),
      to_document(collection::facts, "fact_1", likes), to_story(turn)};
    BOOST_REQUIRE(!disk->put(owner, rows));
    BOOST_REQUIRE(disk->pack_archive(owner, at_ms(1'000), 100));
  }

  void add(std::vector<page_event> events) {
    event_list list{std::move(events)};
    journal_append x{owner, list[0].sequence - 1, to_group(list), to_archive(list)};
    BOOST_REQUIRE(!disk->append_one(x));
  }

  /// Runs steps until the retention is done or fails.
  caf::error run(timestamp now) {
    retention judge{in, owner, config};
    while (true) {
      auto done = judge.step(now);
      if (!done)
        return done.error();
      if (*done == retention_step::done)
        return {};
      if (*done == retention_step::tell)
        BOOST_REQUIRE(
          advance_snapshot(*disk, owner, snapshot_kind::latest, judge.last_sequence(), 1'000));
    }
  }

  std::string contents() { return contents_of(*disk, {"goals", "facts", "stories"}); }

  bool has(const std::string& text) { return contents().find(text) != std::string::npos; }
};

} // namespace

BOOST_AUTO_TEST_SUITE(retention_in_a_store)

BOOST_AUTO_TEST_CASE_TEMPLATE(purges_what_is_over_and_nothing_else, Place, every_store) {
  kept_history<Place> x;
  auto before = x.contents();
  BOOST_TEST(!x.run(at_ms(0) + 30 * day));
  BOOST_TEST(x.contents() == before); // some milliseconds too early
  BOOST_TEST(!x.run(at_ms(10) + 30 * day));
  BOOST_TEST(!x.has(secret));
  BOOST_TEST(!x.has("Quicksilver"));
  BOOST_TEST(x.has("Ask Anna"));
  BOOST_TEST(x.has("The best address is [email]"));
  BOOST_TEST(x.has("Live: bob@example.net"));
  auto page = recover(*x.disk, x.owner, 100);
  BOOST_REQUIRE(page);
  BOOST_TEST(page->sequence == 6u);
  BOOST_TEST(page->damage == "");
  BOOST_TEST(page->observations.size() == 1u);
  uint64_t rows = 0;
  BOOST_TEST(!x.disk->read_archive(x.owner.agent, {}, [&](archive_row&& row) {
    BOOST_TEST(row.sequence == 6u);
    return ++rows < 10;
  }));
  BOOST_TEST(rows == 1u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(leaves_no_row_of_any_table_with_it, Place, every_store) {
  kept_history<Place> x;
  BOOST_TEST(!x.run(at_ms(10) + 30 * day));
  auto db = x.place.connector()();
  auto search = [&](const std::string& text) {
    int64_t found = 0;
    for (const auto* column : {"journal.events", "snapshot_row.event", "document.body",
           "document_term.term", "archive.body"}) {
      std::string name{column};
      auto table = name.substr(0, name.find('.'));
      db->run("SELECT COUNT(*) FROM " + table + " WHERE " + name + " LIKE '%" + text + "%'", {},
        [&](const sql::row& row) { found += row.integer(0); });
    }
    return found;
  };
  BOOST_TEST(search("bob@") > 0);
  BOOST_TEST(search("anna@") == 0);
  BOOST_TEST(search("Quicksilver") == 0);
  BOOST_TEST(search("quicksilver") == 0);
  int64_t packed = 0;
  db->run("SELECT SUM(row_count) FROM archive_pack", {},
    [&](const sql::row& row) { packed = row.integer(0); });
  BOOST_TEST(packed == 1);
}

BOOST_AUTO_TEST_CASE(keeps_in_events_all_but_what_was_said) {
  kept_history<in_sqlite> x;
  BOOST_TEST(!x.run(at_ms(10) + 30 * day));
  uint64_t next = 1;
  BOOST_TEST(!x.disk->read_journal(x.owner.agent, 0, [&](journal_group&& group) {
    auto events = events_of(group);
    BOOST_REQUIRE(events);
    for (const auto& one : *events) {
      BOOST_TEST(one.sequence == next);
      BOOST_TEST((one.at == at_ms(static_cast<int64_t>(next))));
      ++next;
      if (one.observation->observation_id != plain_observation(1).observation_id)
        continue;
      auto left = plain_observation(1, "[purged]");
      BOOST_TEST(to_json_text(*one.observation) == to_json_text(left));
      BOOST_TEST(is_purged(*one.observation));
    }
    return true;
  }));
  BOOST_TEST(next == 7u);
}

BOOST_AUTO_TEST_CASE(looks_at_nothing_twice) {
  kept_history<in_sqlite> x;
  BOOST_TEST(!x.run(at_ms(10) + 30 * day));
  auto writes = x.in->writes();
  BOOST_TEST(!x.run(at_ms(20) + 30 * day));
  BOOST_TEST(x.in->writes() == writes);
}

/// Lets each write fail in turn, before or after it is done. The next run completes the work.
BOOST_AUTO_TEST_CASE(loses_nothing_when_it_is_cut_short) {
  uint64_t writes = 0;
  {
    kept_history<in_sqlite> whole;
    BOOST_TEST(!whole.run(at_ms(10) + 30 * day));
    writes = whole.in->writes();
  }
  BOOST_TEST(writes > 6u);
  for (uint64_t nth = 1; nth <= writes; ++nth)
    for (auto is_done : {false, true})
      BOOST_TEST_CONTEXT("write " << nth << (is_done ? " after" : " before") << " it is done") {
        kept_history<in_sqlite> x;
        if (is_done)
          x.in->fail_after(nth);
        else
          x.in->fail_before(nth);
        BOOST_TEST(static_cast<bool>(x.run(at_ms(10) + 30 * day)));
        BOOST_TEST(!x.run(at_ms(10) + 30 * day));
        BOOST_TEST(!x.has(secret));
        BOOST_TEST(!x.has("Quicksilver"));
        BOOST_TEST(x.has("Ask Anna"));
        BOOST_TEST(x.has("The best address is [email]"));
      }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_history_with_a_horizon)

BOOST_AUTO_TEST_CASE_TEMPLATE(begins_there_and_recovers_as_before, Place, every_store) {
  kept_history<Place> x;
  auto before = recover(*x.disk, x.owner, 0);
  BOOST_REQUIRE(before);
  BOOST_TEST((*truncate_journal(*x.disk, x.owner, at_ms(4)) == truncation::done));
  BOOST_TEST((*truncate_journal(*x.disk, x.owner, at_ms(5)) == truncation::more));
  BOOST_TEST((*truncate_journal(*x.disk, x.owner, at_ms(5)) == truncation::done));
  BOOST_TEST(x.disk->find_snapshot(x.owner.agent, snapshot_kind::oldest)->sequence == 4u);
  BOOST_TEST((*truncate_journal(*x.disk, x.owner, at_ms(100)) == truncation::behind));
  BOOST_REQUIRE(advance_snapshot(*x.disk, x.owner, snapshot_kind::latest, 6, 100));
  BOOST_TEST((*truncate_journal(*x.disk, x.owner, at_ms(100)) == truncation::more));
  BOOST_TEST(read_journal(*x.disk, x.owner.agent) == "");
  BOOST_TEST(read_snapshot(*x.disk, x.owner.agent, snapshot_kind::oldest)
             == read_snapshot(*x.disk, x.owner.agent, snapshot_kind::latest));
  auto after = recover(*x.disk, x.owner, 100);
  BOOST_REQUIRE(after);
  BOOST_TEST(after->sequence == before->sequence);
  BOOST_TEST(after->last_number == before->last_number);
  BOOST_TEST(after->latest.empty());
  BOOST_REQUIRE(after->observations.size() == before->observations.size());
  for (size_t i = 0; i < after->observations.size(); ++i)
    BOOST_TEST(to_json_text(*after->observations[i].second)
               == to_json_text(*before->observations[i].second));
  x.add({event(7, event_kind::added, holding(4, "goes on"))});
  BOOST_TEST(recover(*x.disk, x.owner, 100)->observations.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
