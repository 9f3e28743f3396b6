#include <boost/test/unit_test.hpp>

#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"

/// Rewritten history, of which the files keep nothing old.

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(a_journal_that_is_rewritten)

BOOST_AUTO_TEST_CASE_TEMPLATE(has_the_new_groups_in_place_of_the_old, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  for (uint64_t i = 0; i < 6; i += 2)
    BOOST_REQUIRE(!append(pages, next(owner, i, 2)));
  std::vector<journal_group> others{group(3, 4, "others\n"), group(5, 7, "not there\n")};
  BOOST_TEST(!pages.rewrite_journal(owner, others));
  pages.check_contents();
  BOOST_TEST(!append(pages, next(owner, 6)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_the_owners_to_write, Place, every_store) {
  in_step<Place> pages;
  auto old = claim(pages);
  BOOST_REQUIRE(!append(pages, next(old, 0)));
  claim(pages);
  auto other = group(1, 1, "others\n");
  BOOST_TEST(text_of(pages.rewrite_journal(old, {&other, 1})) == "conflict epoch");
  uint64_t sequence = 1;
  BOOST_TEST(text_of(pages.remove_archived(old, {&sequence, 1})) == "conflict epoch");
}

BOOST_AUTO_TEST_CASE(leaves_nothing_of_the_old_in_the_files) {
  temp_dir dir;
  auto pages = open(sql::sqlite(dir.path() / "pages.db"));
  auto owner = claim(*pages);
  const std::string secret = "quicksilver";
  for (uint64_t i = 0; i < 400; ++i) {
    auto text = (i % 7 == 0 ? secret : std::string{"a usual word"}) + std::to_string(i) + "\n";
    auto gone = archived(i + 1, "obs_" + std::to_string(i));
    gone.body = std::string(i % 13 * 400, ' ') + text;
    gone.checksum = checksum_of(gone.body);
    BOOST_REQUIRE(!append(*pages, next(owner, i, 1, {gone}, gone.body)));
  }
  auto files = [&] { return dir.read("pages.db") + dir.read("pages.db-wal"); };
  BOOST_TEST(files().find(secret) != std::string::npos);
  BOOST_REQUIRE(pages->pack_archive(owner, at_millisecond(2'200), 1000));
  for (uint64_t i = 0; i < 400; i += 7) {
    auto other = group(i + 1, i + 1, "shorter\n");
    auto sequence = i + 1;
    BOOST_REQUIRE(!pages->rewrite_journal(owner, {&other, 1}));
    BOOST_REQUIRE(!pages->remove_archived(owner, {&sequence, 1}));
  }
  BOOST_REQUIRE(!pages->scrub());
  BOOST_TEST(files().find(secret) == std::string::npos);
  BOOST_TEST(files().find("a usual word") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
