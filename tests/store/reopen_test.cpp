#include <array>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/schema.hpp"
#include "scratchpage/tests/store/every_store.hpp"
#include "scratchpage/tests/store/read_all.hpp"
#include "scratchpage/tests/store/store_samples.hpp"

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

/// Small values as store_samples.hpp has them, in the tables of form 1.
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

/// As the first release wrote it.
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
  ownership as_before{owner.agent, owner.epoch}; // claims had no bits of their own
  BOOST_TEST(*opened->pack_archive(as_before, timestamp::max(), 100) == 2u);
  BOOST_TEST(contents_of(*opened) == contents_of(model));
  BOOST_TEST(version_in(*place.connector()()) == sql::schema_version());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
