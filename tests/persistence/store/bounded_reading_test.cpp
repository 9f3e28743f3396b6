#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/persistence/store/counted_connection.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"

/// Reading large rows keeps only few of them in memory.

namespace scratchpage {

using namespace test;

namespace {

constexpr size_t large = 100'000;

/// A store that is filled with one connection, and read with another that counts.
template <class Place>
struct counted_store {
  Place place;
  std::unique_ptr<sql_store> filled = open(place.connector());
  ownership owner = claim(*filled);
  std::shared_ptr<connection_counts> counts = std::make_shared<connection_counts>();
  std::unique_ptr<sql_store> tested = open(counted(place.connector(), counts));

  void add_stories(int count) {
    for (int i = 0; i < count; ++i) {
      auto x = doc("stories", std::to_string(i), std::string(large, 'x'));
      x.index = {at_millisecond(i), {"tea"}};
      BOOST_REQUIRE(!put(*filled, owner, x));
    }
  }

  void archive(uint64_t count) {
    std::vector<archive_row> rows;
    for (uint64_t i = 1; i <= count; ++i) {
      rows.push_back(archived(i));
      rows.back().body = std::string(large, 'x') + std::to_string(i);
      rows.back().checksum = checksum_of(rows.back().body);
    }
    BOOST_REQUIRE(!append(*filled, next(owner, 0, count, std::move(rows))));
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(bounded_reading)

BOOST_AUTO_TEST_CASE_TEMPLATE(
  of_documents_that_are_found_has_one_in_memory_at_a_time, Place, every_store) {
  counted_store<Place> x;
  x.add_stories(20);
  uint64_t found = 0;
  BOOST_TEST(!x.tested->find_documents(
    x.owner.agent, "stories", {.terms = {"tea"}}, [&found](document&& one) {
      BOOST_TEST(one.body.size() == large);
      return ++found < 20;
    }));
  BOOST_TEST(found == 20u);
  BOOST_TEST(x.counts->most_bytes <= large + 1'000);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_an_archive_has_some_rows_in_memory, Place, every_store) {
  counted_store<Place> x;
  x.archive(100);
  uint64_t found = 0;
  BOOST_TEST(
    !x.tested->read_archive(x.owner.agent, {}, [&found](archive_row&&) { return ++found > 0; }));
  BOOST_TEST(found == 100u);
  BOOST_TEST(x.counts->most_bytes <= 40 * large);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_rows_alone_reads_no_bodies, Place, every_store) {
  counted_store<Place> x;
  x.archive(50);
  uint64_t found = 0;
  BOOST_TEST(
    !x.tested->read_archive(x.owner.agent, {.without_bodies = true}, [&found](archive_row&& row) {
      BOOST_TEST(row.body == "");
      return ++found > 0;
    }));
  BOOST_TEST(found == 50u);
  BOOST_TEST(x.counts->most_bytes < large);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sees_packs_as_they_are_when_it_comes_to_them, Place, every_store) {
  counted_store<Place> x;
  x.archive(100);
  BOOST_REQUIRE(x.filled->pack_archive(x.owner, at_millisecond(2'050), 1'000));
  auto begun = x.counts->statements;
  std::string damaged;
  uint64_t found = 0;
  BOOST_TEST(!x.tested->read_archive(x.owner.agent, {}, [&](archive_row&& row) {
    if (checksum_of(row.body) != row.checksum)
      damaged += std::to_string(row.sequence) + " ";
    if (++found == 60) { // in the middle of a pack
      std::vector<uint64_t> gone{1, 2, 3, 41};
      BOOST_TEST(!x.filled->remove_archived(x.owner, gone));
      BOOST_TEST(!!x.filled->pack_archive(x.owner, at_millisecond(3'000), 1'000));
    }
    return true;
  }));
  BOOST_TEST(damaged == "");
  BOOST_TEST(found >= 96u);
  BOOST_TEST(x.counts->statements - begun < 30u); // each pack is read once or twice
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
