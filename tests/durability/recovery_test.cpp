#include <boost/test/unit_test.hpp>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/fold.hpp"
#include "scratchpage/persistence/store/journal_text.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/tests/support/observations.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// What recovery makes of a store, whole or damaged by somebody else's hand.

namespace scratchpage::test {

namespace {

/// A store in a file with one agent, to which events are added one by one.
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

  /// Two events in a group: number 2n-1 and 2n are added.
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
    auto err = in->append({&x, 1});
    BOOST_REQUIRE_MESSAGE(!err, (err ? describe(err) : ""));
  }

  /// Somebody changes the file behind the store's back.
  void damage(const std::string& statement) {
    in.reset();
    SQLite::Database{file_name.string(), SQLite::OPEN_READWRITE}.exec(statement);
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

BOOST_FIXTURE_TEST_CASE(a_snapshot_and_what_follows_give_the_same_page, stored) {
  for (int i = 0; i < 6; ++i)
    add_pair();
  expire(1);
  expire(12);
  auto whole = recovered();
  BOOST_REQUIRE(whole);
  for (auto until : {2u, 7u, 12u, 13u, 14u, 14u}) { // a group that ends beyond stays out
    auto head = fold(*in, owner, snapshot_kind::latest, until, 100);
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
  BOOST_TEST(page->last_number == 6u); // somebody may have seen 5 and 6
  auto again = recovered();            // they are gone
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
                "`scratchpage repair` saves what is whole into a new store");
}

BOOST_FIXTURE_TEST_CASE(a_missing_middle_refuses_to_start, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  damage("DELETE FROM journal WHERE first_sequence = 3");
  BOOST_TEST(
    refusal().find("sequence 3: expected this change, but 5 follows") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_damaged_snapshot_refuses_to_start, stored) {
  for (int i = 0; i < 3; ++i)
    add_pair();
  BOOST_REQUIRE(fold(*in, owner, snapshot_kind::latest, last, 100));
  damage("UPDATE snapshot_row SET event = replace(event, 'some', 'any') WHERE number = 4");
  BOOST_TEST(refusal().find("the snapshot's observation 4 is damaged") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_no_database_is_refused, temp_dir) {
  auto opened = sql_store::open(sql::sqlite(file("scratchpage.db", std::string(8'192, 'x'))));
  BOOST_REQUIRE(!opened);
  BOOST_TEST(to_string(code_of(opened.error())) == "storage_unavailable");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
