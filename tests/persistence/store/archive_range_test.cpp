#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"

namespace scratchpage {

using namespace test;

namespace {

/// Rows whose columns vary independently.
std::vector<archive_row> some_rows(uint64_t count) {
  std::vector<archive_row> rows;
  for (uint64_t i = 1; i <= count; ++i) {
    auto x = archived(i, "obs_" + std::to_string(i % 50), i % 2 == 0 ? "note" : "alert");
    x.status = i % 3 == 0 ? "expired" : "evicted";
    x.source = "source " + std::to_string(i % 5);
    x.owner = i % 7 == 0 ? "user" : "agent";
    x.turn_id = "turn_" + std::to_string(i % 11);
    rows.push_back(std::move(x));
  }
  return rows;
}

template <class Place>
struct an_archive : in_step<Place> {
  explicit an_archive(uint64_t count = 60)
    : owner{claim(*this)} {
    BOOST_REQUIRE(!append(*this, next(owner, 0, count, some_rows(count))));
  }

  /// The sequences in the range, as "9 6 3".
  std::string sequences(const archive_range& range) {
    std::string result;
    BOOST_TEST(!this->read_archive(owner.agent, range, [&](archive_row&& x) {
      result += (result.empty() ? "" : " ") + std::to_string(x.sequence);
      return true;
    }));
    return result;
  }

  ownership owner;
};

} // namespace

BOOST_AUTO_TEST_SUITE(an_archive_in_a_store)

BOOST_AUTO_TEST_CASE_TEMPLATE(is_read_from_the_newest, Place, every_store) {
  an_archive<Place> archive{4};
  BOOST_TEST(archive.sequences({}) == "4 3 2 1");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_asked_by_each_column, Place, every_store) {
  an_archive<Place> archive{12};
  BOOST_TEST(archive.sequences({.type = {"alert"}}) == "11 9 7 5 3 1");
  BOOST_TEST(archive.sequences({.status = {"expired"}}) == "12 9 6 3");
  BOOST_TEST(archive.sequences({.source = {"source 1"}}) == "11 6 1");
  BOOST_TEST(archive.sequences({.owner = {"user"}}) == "7");
  BOOST_TEST(archive.sequences({.turn_id = "turn_1"}) == "12 1");
  BOOST_TEST(archive.sequences({.observation_id = "obs_5"}) == "5");
  BOOST_TEST(archive.sequences({.type = {"no such"}}) == "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_asked_by_any_of_several_values, Place, every_store) {
  an_archive<Place> archive{12};
  BOOST_TEST(archive.sequences({.type = {"alert", "note", "x"}}) == "12 11 10 9 8 7 6 5 4 3 2 1");
  BOOST_TEST(archive.sequences({.source = {"source 1", "source 2"}}) == "12 11 7 6 2 1");
  BOOST_TEST(archive.sequences({.type = {"note"}, .source = {"source 1", "source 2"}}) == "12 6 2");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_asked_between_times_that_do_not_belong, Place, every_store) {
  an_archive<Place> archive{12};
  BOOST_TEST(archive.sequences({.created_after = at_millisecond(1009)}) == "12 11 10");
  BOOST_TEST(archive.sequences({.created_before = at_millisecond(1003)}) == "2 1");
  BOOST_TEST(archive.sequences(
               {.created_after = at_millisecond(1004), .created_before = at_millisecond(1007)})
             == "6 5");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_asked_below_a_sequence, Place, every_store) {
  an_archive<Place> archive{12};
  BOOST_TEST(archive.sequences({.before = 4}) == "3 2 1");
  BOOST_TEST(archive.sequences({.before = 1}) == "");
  BOOST_TEST(archive.sequences({.before = 0}) == "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_asked_for_its_rows_alone, Place, every_store) {
  an_archive<Place> archive{12};
  BOOST_TEST(archive.sequences({.status = {"expired"}, .without_bodies = true}) == "12 9 6 3");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_asked_by_all_at_once, Place, every_store) {
  an_archive<Place> archive;
  archive_range range{{"note", "alert"}, {"evicted"}, {"source 2"}, {"agent"}, "turn_0", "obs_22"};
  range.created_after = at_millisecond(1000);
  range.created_before = at_millisecond(1040);
  range.before = 30;
  BOOST_TEST(archive.sequences(range) == "22");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_read_in_more_than_one_part, Place, every_store) {
  an_archive<Place> archive{800};
  archive.sequences({});
  archive.sequences({.status = {"evicted"}});
  archive.sequences({.before = 257});
  for (uint64_t enough : {1, 256, 257, 513, 800}) {
    uint64_t seen = 0;
    BOOST_TEST(!archive.tested->read_archive(archive.owner.agent, {}, [&](archive_row&& x) {
      BOOST_TEST(x.sequence == 800 - seen);
      return ++seen < enough;
    }));
    BOOST_TEST(seen == enough);
  }
}

/// Each form needs another SQL statement, and the store does not keep all of them prepared.
BOOST_AUTO_TEST_CASE_TEMPLATE(is_asked_in_more_forms_than_one_remembers, Place, every_store) {
  an_archive<Place> archive{12};
  archive_range range;
  for (int i = 0; i < 150; ++i) {
    range.source.push_back("source " + std::to_string(i % 7));
    archive.sequences(range);
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
