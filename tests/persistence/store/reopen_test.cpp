#include <array>
#include <memory>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/sql_tables.hpp"
#include "scratchpage/tests/persistence/store/counted_connection.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"

namespace scratchpage {

using namespace test;

namespace {

template <class Place>
ownership write_some(in_step<Place>& pages) {
  auto owner = claim(pages);
  BOOST_TEST(!append(pages, next(owner, 0, 3, {archived(2)})));
  auto changed = row(1, "{}");
  BOOST_TEST(!pages.move_snapshot(owner, snapshot_kind::oldest, {2, 1, 0, 1}, {&changed, 1}));
  BOOST_TEST(!put(pages, owner, doc("goals", "tea", "{}")));
  return owner;
}

/// Writes the values of store_samples.hpp into the tables of form 1.
void write_first_form(sql::connection& db) {
  sql::bring_up_to(db, 1);
  db.script("INSERT INTO agent VALUES (1, 'ada', 1, 3)");
  auto insert = [&db](const std::string& statement, const std::string& text) {
    std::array<sql::argument, 2> arguments{&text, static_cast<int64_t>(checksum_of(text))};
    db.run(statement, arguments);
  };
  insert("INSERT INTO journal VALUES (1, 1, 3, 1762000000003, $1, $2)", "some events\n");
  insert("INSERT INTO snapshot_row VALUES (1, 1, 1, $1, $2)", "{}");
  insert("INSERT INTO document VALUES (1, 'goals', 'tea', $1, $2)", "{}");
  insert("INSERT INTO archive VALUES (1, 2, 'obs_1', 'note', 'archived', 'router', 'agent', "
         "'turn_1', 1002, 2002, $1, $2)",
    R"({"n":2})");
  insert("INSERT INTO archive VALUES (1, 3, 'obs_2', 'alert', 'archived', 'router', 'agent', "
         "'turn_1', 1003, 2003, $1, $2)",
    R"({"n":3})");
  db.script("INSERT INTO snapshot VALUES (1, 1, 2, 1, 0, 1, 0)");
}

/// The first statement of every transaction of a program of form 4: its claim, and the check that
/// it is the owner, with and without a new end of the journal.
const std::array<std::string, 3> writes_of_form_4{
  "INSERT INTO agent (agent, agent_id, epoch, last_sequence, commits, claim_high, claim_low) "
  "SELECT COALESCE(MAX(agent), 0) + 1, 'ada', 1, 0, 1, 7, 7 FROM agent WHERE true "
  "ON CONFLICT (agent_id) DO UPDATE SET epoch = agent.epoch + 1, commits = agent.commits + 1, "
  "claim_high = excluded.claim_high, claim_low = excluded.claim_low "
  "RETURNING agent, epoch, claim_high, claim_low, commits, last_sequence",
  "UPDATE agent SET commits = commits + 1 WHERE agent = 1 AND claim_high = 7 AND claim_low = 7 "
  "RETURNING commits, last_sequence",
  "UPDATE agent SET last_sequence = 3, commits = commits + 1 WHERE agent = 1 AND claim_high = 7 "
  "AND claim_low = 7 AND last_sequence = 3 RETURNING commits"};

/// Writes rows of two agents, more of each kind than are summed in one step.
void write_many_rows(sql::connection& db) {
  auto insert = [&db](const std::string& into, const std::string& values) {
    db.script("INSERT INTO " + into
              + " WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
                "SELECT "
              + values + " FROM n");
  };
  db.begin(true);
  db.script("INSERT INTO agent (agent, agent_id, epoch, last_sequence) VALUES (2, 'bob', 1, 3)");
  insert("snapshot_row (agent, kind, number, event, checksum)", "1, 1, i, '{}', i");
  insert("document (agent, collection, name, body, checksum)",
    "1 + i % 2, CASE i % 3 WHEN 0 THEN 'goals' ELSE 'facts' END, 'n' || i, '{}', i");
  insert("archive (agent, sequence, observation_id, type, status, source, owner, turn_id, "
         "created_ms, left_ms, body, checksum)",
    "1 + i % 2, i + 3, 'obs_' || i, 'note', 'archived', 'router', 'agent', 'turn_1', i, i, '{}', "
    "i");
  db.commit();
}

caf::error check_archive(store& in, uint64_t agent) {
  auto sums = sum_check::of_archive(in, agent);
  auto err = sums.begin();
  if (!err)
    err = in.read_archive(agent, {}, [&](archive_row&& x) {
      sums.add(x);
      return true;
    });
  return err ? err : sums.end();
}

caf::error check_documents(store& in, uint64_t agent, const std::string& collection) {
  auto sums = sum_check::of_documents(in, agent, collection);
  auto err = sums.begin();
  if (!err)
    err = in.read_documents(agent, collection, [&](document&& x) {
      sums.add(x);
      return true;
    });
  return err ? err : sums.end();
}

caf::error check_snapshot(store& in, uint64_t agent) {
  auto head = in.find_snapshot(agent, snapshot_kind::oldest);
  if (!head)
    return head.error();
  snapshot_rows_check sums;
  auto err = in.read_snapshot(agent, snapshot_kind::oldest, [&](snapshot_row&& x) {
    sums.add(x);
    return true;
  });
  return err ? err : sums.check(in, agent, snapshot_kind::oldest, *head);
}

int64_t version_in(sql::connection& db) {
  int64_t result = 0;
  db.run(
    "SELECT version FROM schema_version", {}, [&](const sql::row& x) { result = x.integer(0); });
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_store_that_is_opened_again)

BOOST_AUTO_TEST_CASE_TEMPLATE(holds_what_it_held, Place, every_store) {
  in_step<Place> pages;
  auto owner = write_some(pages);
  pages.reopen();
  pages.check_contents();
  BOOST_TEST(!append(pages, next(owner, 3)));
  BOOST_TEST(claim(pages).epoch == owner.epoch + 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(may_be_open_twice, Place, every_store) {
  in_step<Place> pages;
  auto owner = write_some(pages);
  auto other = open(pages.place.connector());
  BOOST_TEST(contents_of(*other) == contents_of(*pages.tested));
  BOOST_TEST(!append(*other, next(owner, 3)));
  BOOST_TEST(!append(*pages.tested, next(owner, 4)));
  BOOST_TEST(contents_of(*other) == contents_of(*pages.tested));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_refused_if_a_newer_program_wrote_it, Place, every_store) {
  in_step<Place> pages;
  write_some(pages);
  auto newer = std::to_string(sql::schema_version() + 1);
  pages.place.connector()()->script("UPDATE schema_version SET version = " + newer);
  auto again = sql_store::open(pages.place.connector());
  BOOST_REQUIRE(!again);
  BOOST_TEST(text_of(again.error()) == "storage_unavailable");
  BOOST_TEST(describe(again.error()).find("written by a newer scratchpage") != std::string::npos);
  BOOST_TEST(std::to_string(version_in(*pages.place.connector()())) == newer);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(has_the_tables_of_this_version, Place, every_store) {
  in_step<Place> pages;
  pages.reopen();
  pages.reopen();
  BOOST_TEST(version_in(*pages.place.connector()()) == sql::schema_version());
}

/// A database of the first release.
BOOST_AUTO_TEST_CASE_TEMPLATE(of_the_first_form_has_all_it_had, Place, every_store) {
  Place place;
  memory_store model;
  auto owner = claim(model);
  BOOST_TEST(!append(model, next(owner, 0, 3, {archived(2), archived(3, "obs_2", "alert")})));
  auto changed = row(1, "{}");
  BOOST_TEST(!model.move_snapshot(owner, snapshot_kind::oldest, {2, 1, 0, 1}, {&changed, 1}));
  BOOST_TEST(!put(model, owner, doc("goals", "tea", "{}")));
  write_first_form(*place.connector()());
  auto opened = open(place.connector());
  BOOST_TEST(contents_of(*opened) == contents_of(model));
  ownership as_before{owner.agent, owner.epoch}; // such claims had no random bits
  BOOST_TEST(*opened->pack_archive(as_before, timestamp::max(), 100) == 2u);
  BOOST_TEST(contents_of(*opened) == contents_of(model));
  BOOST_TEST(version_in(*place.connector()()) == sql::schema_version());
}

/// A server of form 4 may still run on the database while another one is upgraded.
BOOST_AUTO_TEST_CASE_TEMPLATE(
  of_the_form_before_the_sums_cannot_be_changed_by_its_program_any_more, Place, every_store) {
  Place place;
  auto older = place.connector()();
  write_first_form(*older);
  sql::bring_up_to(*older, 4);
  for (const auto& statement : writes_of_form_4)
    BOOST_TEST(older->run(statement) == 1, statement);
  auto opened = open(place.connector());
  auto before = contents_of(*opened);
  for (const auto& statement : writes_of_form_4) {
    BOOST_CHECK_THROW(older->run(statement), sql::failure);
    BOOST_CHECK_THROW(place.connector()()->run(statement), sql::failure);
  }
  BOOST_TEST(contents_of(*opened) == before);
  BOOST_TEST(!append(*opened, next(claim(*opened), 3)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_the_form_before_the_sums_is_summed_in_parts, Place, every_store) {
  Place place;
  {
    auto older = place.connector()();
    write_first_form(*older);
    sql::bring_up_to(*older, 4);
    write_many_rows(*older);
  }
  auto counts = std::make_shared<connection_counts>();
  auto opened = open(counted(place.connector(), counts));
  BOOST_TEST(counts->most_rows == static_cast<size_t>(sql::sealed_at_once));
  BOOST_TEST(!check_snapshot(*opened, 1));
  for (uint64_t agent : {1, 2}) {
    BOOST_TEST(!check_archive(*opened, agent));
    for (const auto* collection : {"goals", "facts"})
      BOOST_TEST(!check_documents(*opened, agent, collection));
    BOOST_TEST(*opened->sum_of_archive(agent) != 0u);
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
