#include <boost/test/unit_test.hpp>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"
#include "scratchpage/tests/support/observations.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// The recovery of stores that are intact or were damaged from outside.

namespace scratchpage::test {

namespace {

/// A store in a file, with one agent.
struct stored : temp_dir {
  std::filesystem::path file_name = path() / "scratchpage.db";
  std::unique_ptr<sql_store> in = open();
  ownership owner = *in->claim("tester");
  uint64_t last = 0;

  std::unique_ptr<sql_store> open() const {
    auto opened = sql_store::open(sql::sqlite(file_name));
    BOOST_REQUIRE(opened);
    return std::move(*opened);
  }

  /// Appends a group that adds the observations 2n-1 and 2n.
  void add_pair() {
    std::vector<page_event> events(2);
    for (auto& event : events) {
      event.sequence = ++last;
      event.at = at_ms(static_cast<int64_t>(last));
      event.observation = observation_ptr{plain_observation(last)};
    }
    append(std::move(events));
  }

  void expire(uint64_t number) {
    std::vector<page_event> events(1);
    events[0].sequence = ++last;
    events[0].kind = event_kind::expired;
    events[0].observation = observation_ptr{plain_observation(number)};
    append(std::move(events));
  }

  void append(event_list events) {
    auto after = last - events.size();
    journal_append x{owner, after, to_group(events), to_archive(events)};
    auto err = in->append_one(x);
    BOOST_REQUIRE_MESSAGE(!err, (err ? describe(err) : ""));
  }

  /// Changes the file while the store is closed.
  void damage(const std::string& statement) {
    in.reset();
    SQLite::Database{file_name.string(), SQLite::OPEN_READWRITE}.exec(statement);
    in = open();
  }

  /// The bytes of the database, for `restore`.
  std::string db_text() {
    in.reset(); // moves the log into the database
    auto result = read(file_name.filename().string());
    in = open();
    return result;
  }

  void restore(const std::string& bytes) {
    in.reset();
    file(file_name.filename().string(), bytes);
    in = open();
  }

  caf::expected<recovered_page> recovered() { return recover(*in, owner, 100); }

  std::string refusal() {
    auto page = recovered();
    return page ? "none" : describe(page.error());
  }

  static std::string numbers(const recovered_page& page) {
    std::string result;
    for (const auto& [number, x] : page.observations)
      result.append(result.empty() ? "" : " ").append(std::to_string(number));
    return result;
  }
};

constexpr auto flip_a_byte = " SET events = replace(events, 'something', 'Something') "
                             "WHERE first_sequence = ";

} // namespace

BOOST_AUTO_TEST_SUITE(recovery)

BOOST_FIXTURE_TEST_CASE(an_empty_store_gives_an_empty_page, stored) {
  auto page = recovered();
  BOOST_REQUIRE(page);
  BOOST_TEST(page->sequence == 0u);
  BOOST_TEST(page->observations.empty());
}

BOOST_FIXTURE_TEST_CASE(a_page_is_what_its_events_made_of_it, stored) {
  add_pair();
  add_pair();
  expire(3);
  auto page = recovered();
  BOOST_REQUIRE(page);
  BOOST_TEST(numbers(*page) == "1 2 4");
  BOOST_TEST(page->sequence == 5u);
  BOOST_TEST(page->last_number == 4u);
  BOOST_TEST(page->expired == 1u);
  BOOST_TEST(page->latest.size() == 5u);
}

BOOST_FIXTURE_TEST_CASE(after_a_rest_the_latest_changes_are_those_after_a_sequence, stored) {
  for (int i = 0; i < 6; ++i)
    add_pair();
  auto sequences = [&](uint64_t after) {
    auto page = recover(*in, owner, 1, 0, after_rest{after});
    BOOST_REQUIRE(page);
    std::string result;
    for (const auto& x : page->latest)
      result.append(result.empty() ? "" : " ").append(std::to_string(x.sequence));
    BOOST_TEST(page->sequence == 12u);
    BOOST_TEST(numbers(*page) == "1 2 3 4 5 6 7 8 9 10 11 12");
    return result;
  };
  for (auto until : {0u, 7u, 12u}) { // also those that a snapshot includes
    if (until > 0)
      BOOST_REQUIRE(advance_snapshot(*in, owner, snapshot_kind::latest, until, 100));
    BOOST_TEST(sequences(0) == "1 2 3 4 5 6 7 8 9 10 11 12");
    BOOST_TEST(sequences(8) == "9 10 11 12");
    BOOST_TEST(sequences(11) == "12");
    BOOST_TEST(sequences(12) == "");
  }
  BOOST_REQUIRE(!in->forget_journal(owner, 4));
  BOOST_TEST(sequences(0) == "5 6 7 8 9 10 11 12"); // as far as they are still there
}

BOOST_FIXTURE_TEST_CASE(after_a_rest_no_epoch_begins, stored) {
  add_pair();
  BOOST_REQUIRE(recovered());
  add_pair();
  auto before = recover(*in, owner, 1, 0, after_rest{});
  BOOST_REQUIRE(before);
  BOOST_TEST(before->epochs.at(owner.epoch) == 2u);
  auto after = recover(*in, owner, 1, 0, after_rest{});
  BOOST_REQUIRE(after);
  BOOST_CHECK(after->epochs == before->epochs);
}

BOOST_FIXTURE_TEST_CASE(damage_before_the_snapshot_only_shortens_the_latest_changes, stored) {
  for (int i = 0; i < 4; ++i)
    add_pair();
  BOOST_REQUIRE(advance_snapshot(*in, owner, snapshot_kind::latest, 6, 100));
  damage(std::string{"UPDATE journal"} + flip_a_byte + "3");
  auto page = recover(*in, owner, 1, 0, after_rest{});
  BOOST_REQUIRE(page);
  BOOST_TEST(page->damage == "");
  BOOST_REQUIRE(!page->latest.empty());
  BOOST_TEST(page->latest.front().sequence == 5u);
  BOOST_TEST(page->latest.back().sequence == 8u);
}

BOOST_FIXTURE_TEST_CASE(a_snapshot_and_what_follows_give_the_same_page, stored) {
  for (int i = 0; i < 6; ++i)
    add_pair();
  expire(1);
  expire(12);
  auto whole = recovered();
  BOOST_REQUIRE(whole);
  for (auto until : {2u, 7u, 12u, 13u, 14u, 14u}) { // only whole groups are in the snapshot
    auto head = advance_snapshot(*in, owner, snapshot_kind::latest, until, 100);
    BOOST_REQUIRE(head);
    auto page = recovered();
    BOOST_REQUIRE(page);
    BOOST_TEST(head->sequence <= until);
    BOOST_TEST(numbers(*page) == numbers(*whole));
    BOOST_TEST(page->sequence == whole->sequence);
    BOOST_TEST(page->last_number == whole->last_number);
    BOOST_TEST(page->expired == whole->expired);
  }
}

BOOST_FIXTURE_TEST_CASE(a_damaged_end_is_cut_off_and_told, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  damage(std::string{"UPDATE journal"} + flip_a_byte + "5");
  auto page = recovered();
  BOOST_REQUIRE(page);
  BOOST_TEST(numbers(*page) == "1 2 3 4");
  BOOST_TEST(page->damage
             == "internal: sequence 5: expected the events up to 6 as they were written, but the "
                "checksum does not fit");
  BOOST_TEST(page->last_number == 6u); // 5 and 6 may have been seen
  auto again = recovered();            // the damaged group is gone
  BOOST_REQUIRE(again);
  BOOST_TEST(again->damage == "");
  BOOST_TEST(again->last_number == 6u);
  last = 4;
  add_pair();
  BOOST_TEST(numbers(*recovered()) == "1 2 3 4 5 6");
}

BOOST_FIXTURE_TEST_CASE(a_damaged_middle_refuses_to_start_and_says_what_to_do, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  damage(std::string{"UPDATE journal"} + flip_a_byte + "3");
  BOOST_TEST(refusal()
             == "internal: the journal is damaged in the middle: internal: sequence 3: expected "
                "the events up to 4 as they were written, but the checksum does not fit; "
                "`scratchpage repair` recovers intact data into a new directory");
}

BOOST_FIXTURE_TEST_CASE(a_missing_middle_refuses_to_start, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  damage("DELETE FROM journal WHERE first_sequence = 3");
  BOOST_TEST(
    refusal().find("sequence 3: expected this change, but 5 follows") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_missing_end_refuses_to_start_and_says_what_is_missing, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  damage("DELETE FROM journal WHERE first_sequence = (SELECT max(first_sequence) FROM journal)");
  auto told = "internal: the changes 5 to 6 were acknowledged but are missing: the journal ends at "
              "4; `scratchpage repair` recovers intact data into a new directory";
  BOOST_TEST(refusal() == told);
  BOOST_TEST(refusal() == told); // the first attempt cut nothing off
}

BOOST_FIXTURE_TEST_CASE(a_journal_that_is_gone_behind_its_snapshot_refuses_to_start, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  BOOST_REQUIRE(advance_snapshot(*in, owner, snapshot_kind::latest, 4, 100));
  damage("DELETE FROM journal");
  BOOST_TEST(refusal().find("the changes 5 to 6 were acknowledged") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_damaged_end_with_more_missing_behind_it_refuses_to_start, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  damage(std::string{"DELETE FROM journal WHERE first_sequence = 5; UPDATE journal"} + flip_a_byte
         + "3");
  BOOST_TEST(refusal().find("the changes 5 to 6 were acknowledged") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(an_agents_row_that_knows_of_fewer_changes_refuses_to_start, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  damage("UPDATE agent SET last_sequence = 4");
  BOOST_TEST(refusal().find("goes on to 6, but the agent's row says that 4 was the last change")
             != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(an_agents_row_of_an_epoch_that_has_been_refuses_to_start, stored) {
  for (int i = 0; i < 3; ++i)
    owner = *in->claim("tester");
  BOOST_REQUIRE(recovered());
  damage("UPDATE agent SET epoch = 1");
  owner = *in->claim("tester");
  BOOST_TEST(refusal().find("has epoch 2, but epoch 4 has begun before") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(what_was_cut_or_forgotten_on_purpose_is_not_missing, stored) {
  for (int i = 0; i < 4; ++i)
    add_pair();
  BOOST_REQUIRE(advance_snapshot(*in, owner, snapshot_kind::latest, 4, 100));
  BOOST_REQUIRE(!in->forget_journal(owner, 4));
  BOOST_REQUIRE(!in->cut_journal(owner, 6));
  auto page = recovered();
  BOOST_REQUIRE_MESSAGE(page, (page ? "" : describe(page.error())));
  BOOST_TEST(page->sequence == 6u);
  BOOST_REQUIRE(!in->cut_journal(owner, 4)); // removes all groups
  BOOST_TEST(recovered()->sequence == 4u);
}

/// As when another server claims the agent while this one reads it.
BOOST_FIXTURE_TEST_CASE(what_another_owner_adds_meanwhile_is_no_damage, stored) {
  add_pair();
  auto before = owner;
  owner = *in->claim("tester");
  add_pair();
  auto err = check_end(*in, before, 2, 4);
  BOOST_TEST(to_string(code_of(err)) == "conflict");
  BOOST_TEST(!check_reach(*in, owner.agent, 4, 2));
  BOOST_REQUIRE(!in->cut_journal(owner, 2));
  BOOST_TEST(!check_reach(*in, owner.agent, 2, 4)); // the owner has cut the journal
}

BOOST_FIXTURE_TEST_CASE(nobody_is_given_a_page_or_an_export_without_its_end, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  damage("DELETE FROM journal WHERE first_sequence = 5");
  exporter out{[](std::string_view) { return caf::error{}; }};
  auto err = out.add(*in, "tester");
  BOOST_TEST(describe(err).find("the changes 5 to 6 were acknowledged") != std::string::npos);
  auto now = page_at(*in, owner.agent, timestamp::max());
  BOOST_REQUIRE(!now);
  BOOST_TEST(describe(now.error()).find("the changes 5 to 6") != std::string::npos);
  BOOST_TEST(page_at(*in, owner.agent, uint64_t{3})->page.sequence == 3u); // this part is intact
}

BOOST_FIXTURE_TEST_CASE(a_damaged_snapshot_refuses_to_start, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  BOOST_REQUIRE(advance_snapshot(*in, owner, snapshot_kind::latest, last, 100));
  damage("UPDATE snapshot_row SET event = replace(event, 'some', 'any') WHERE number = 4");
  BOOST_TEST(refusal().find("the snapshot's observation 4 is damaged") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_snapshot_whose_head_was_changed_refuses_to_start, stored) {
  for (int i = 0; i < 6; ++i)
    add_pair();
  BOOST_REQUIRE(advance_snapshot(*in, owner, snapshot_kind::latest, 4, 100));
  for (const auto* change :
    {"sequence = sequence + 2", "last_number = last_number - 1", "expired = 7", "evicted = 7",
      "at_ms = at_ms + 1", "row_sum = row_sum + 1", "checksum = 0"}) {
    auto before = db_text();
    damage(std::string{"UPDATE snapshot SET "} + change);
    BOOST_TEST(refusal().find("the head of the latest snapshot is damaged") != std::string::npos,
      change << ": " << refusal());
    restore(before);
  }
  BOOST_TEST(refusal() == "none");
}

BOOST_FIXTURE_TEST_CASE(a_snapshot_with_other_rows_refuses_to_start, stored) {
  for (int i = 0; i < 6; ++i)
    add_pair();
  BOOST_REQUIRE(advance_snapshot(*in, owner, snapshot_kind::latest, 8, 100));
  for (const auto* change : {"DELETE FROM snapshot_row WHERE number = 3",
         "DELETE FROM snapshot_row", "UPDATE snapshot_row SET number = 100 WHERE number = 3",
         "INSERT INTO snapshot_row SELECT agent, kind, 100, event, checksum FROM snapshot_row "
         "WHERE number = 3"}) {
    auto before = db_text();
    damage(change);
    BOOST_TEST(refusal() != "none", change);
    restore(before);
  }
  BOOST_TEST(refusal() == "none");
}

BOOST_FIXTURE_TEST_CASE(a_snapshot_that_is_gone_with_what_led_to_it_refuses_to_start, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  BOOST_REQUIRE(advance_snapshot(*in, owner, snapshot_kind::latest, last, 100));
  BOOST_REQUIRE(!in->forget_journal(owner, last));
  damage("DELETE FROM snapshot; DELETE FROM snapshot_row");
  BOOST_TEST(refusal().find("the changes 1 to 6 were acknowledged") != std::string::npos);
}

/// Without this check, an agent that lost its row would look like a new one.
BOOST_FIXTURE_TEST_CASE(an_agent_that_lost_its_row_is_not_a_new_one, stored) {
  add_pair();
  BOOST_REQUIRE(recovered());
  damage("DELETE FROM agent");
  owner = *in->claim("tester");
  BOOST_TEST(refusal().find("goes on to 2, but the agent's row says that 0 was the last change")
             != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_snapshot_of_an_older_form_is_believed_and_then_sealed, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  BOOST_REQUIRE(advance_snapshot(*in, owner, snapshot_kind::latest, 4, 100));
  damage("ALTER TABLE snapshot DROP COLUMN row_sum; ALTER TABLE snapshot DROP COLUMN checksum; "
         "ALTER TABLE agent DROP COLUMN archive_sum; DROP TABLE document_sum; "
         "ALTER TABLE agent RENAME COLUMN commit_count TO commits; "
         "UPDATE schema_version SET version = 4");
  auto page = recovered();
  BOOST_REQUIRE_MESSAGE(page, (page ? "" : describe(page.error())));
  BOOST_TEST(numbers(*page) == "1 2 3 4 5 6");
  damage("UPDATE snapshot SET sequence = 6");
  BOOST_TEST(refusal().find("the head of the latest snapshot is damaged") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_document_that_is_missing_is_told, stored) {
  for (const auto* name : {"goal_1", "goal_2"}) {
    goal made;
    made.goal_id = name;
    auto x = to_document(collection::goals, name, made);
    BOOST_REQUIRE(!in->put(owner, {&x, 1}));
  }
  BOOST_TEST(read_all<goal>(*in, owner.agent, collection::goals)->size() == 2u);
  for (const auto* which : {" WHERE name = 'goal_1'", ""}) { // one of two, then the last one
    damage("DELETE FROM document" + std::string{which});
    auto known = read_all<goal>(*in, owner.agent, collection::goals);
    BOOST_REQUIRE(!known);
    BOOST_TEST(
      describe(known.error()).find("the documents of 'goals' are not those that were written")
      != std::string::npos);
    exporter out{[](std::string_view) { return caf::error{}; }};
    BOOST_TEST(describe(out.add(*in, "tester")).find("'goals'") != std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(
  an_observation_that_is_missing_in_the_archive_is_told_by_an_export, stored) {
  add_pair();
  expire(1);
  expire(2);
  exporter whole{[](std::string_view) { return caf::error{}; }};
  BOOST_TEST(!whole.add(*in, "tester"));
  damage("DELETE FROM archive WHERE sequence = 3");
  exporter out{[](std::string_view) { return caf::error{}; }};
  auto err = out.add(*in, "tester");
  BOOST_TEST(describe(err).find("the archive does not have the observations") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_no_database_is_refused, temp_dir) {
  auto opened = sql_store::open(sql::sqlite(file("scratchpage.db", std::string(8'192, 'x'))));
  BOOST_REQUIRE(!opened);
  BOOST_TEST(to_string(code_of(opened.error())) == "storage_unavailable");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
