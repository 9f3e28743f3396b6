#include <memory>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/tests/persistence/store/counted_connection.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"

namespace scratchpage {

using namespace test;

namespace {

caf::error move(store& of, const ownership& by, uint64_t sequence, std::vector<snapshot_row> rows,
  snapshot_kind kind = snapshot_kind::latest) {
  return of.move_snapshot(
    by, kind, {sequence, sequence + 1, 2, 3, at_millisecond(static_cast<int64_t>(sequence))}, rows);
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_snapshot)

BOOST_AUTO_TEST_CASE_TEMPLATE(is_empty_until_it_moves, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  auto head = pages.find_snapshot(owner.agent, snapshot_kind::latest);
  BOOST_TEST((head == snapshot_head{}));
  BOOST_TEST(read_snapshot(pages, owner.agent, snapshot_kind::latest) == "");
  BOOST_TEST((pages.find_snapshot(77, snapshot_kind::oldest) == snapshot_head{}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(moves_by_the_rows_that_changed, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  BOOST_TEST(!move(pages, owner, 5, {row(3, "three"), row(1, "one"), row(2, "two")}));
  BOOST_TEST(!move(pages, owner, 8, {row(2, ""), row(3, "three again"), row(4, "four")}));
  BOOST_TEST(read_snapshot(pages, owner.agent, snapshot_kind::latest)
             == text_of(std::vector{row(1, "one"), row(3, "three again"), row(4, "four")}));
  snapshot_head wanted{8, 9, 2, 3, at_millisecond(8)};
  for (const auto& x : {row(1, "one"), row(3, "three again"), row(4, "four")})
    wanted.rows += sum_of(x.number, x.checksum);
  BOOST_TEST((pages.find_snapshot(owner.agent, snapshot_kind::latest) == wanted));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_refused_if_its_head_is_not_as_it_was_written, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  BOOST_TEST(!move(pages, owner, 5, {row(1, "one")}));
  BOOST_TEST(!move(pages, owner, 5, {row(1, "one")}, snapshot_kind::oldest));
  pages.place.connector()()->script("UPDATE snapshot SET sequence = 6 WHERE kind = 0");
  auto head = pages.tested->find_snapshot(owner.agent, snapshot_kind::latest);
  BOOST_REQUIRE(!head);
  BOOST_TEST(text_of(head.error()) == "internal");
  BOOST_TEST(pages.find_snapshot(owner.agent, snapshot_kind::oldest)->sequence == 5u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_not_taken_for_that_of_another_agent_or_kind, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  BOOST_TEST(!move(pages, owner, 5, {row(1, "one")}));
  pages.place.connector()()->script("UPDATE snapshot SET kind = 1, agent = 7");
  BOOST_TEST(!pages.tested->find_snapshot(7, snapshot_kind::oldest));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(may_move_without_a_change, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  BOOST_TEST(!move(pages, owner, 5, {row(1, "one")}));
  BOOST_TEST(!move(pages, owner, 6, {}));
  BOOST_TEST(!move(pages, owner, 7, {row(9, "")}));
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(takes_one_statement_for_each_row_that_is_new, Place, every_store) {
  Place place;
  auto counts = std::make_shared<connection_counts>();
  auto tested = open(counted(place.connector(), counts));
  auto owner = claim(*tested);
  std::vector<snapshot_row> rows;
  for (uint64_t i = 1; i <= 100; ++i)
    rows.push_back(row(i, "event " + std::to_string(i)));
  constexpr size_t for_all_of_them = 5; // check of the owner, head, begin and commit
  auto before = counts->statements;
  BOOST_TEST(!move(*tested, owner, 100, rows));
  BOOST_TEST(counts->statements - before <= rows.size() + for_all_of_them);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_one_of_two, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  BOOST_TEST(!move(pages, owner, 5, {row(1, "one")}, snapshot_kind::latest));
  BOOST_TEST(!move(pages, owner, 2, {row(1, "uno")}, snapshot_kind::oldest));
  BOOST_TEST(!move(pages, owner, 6, {row(1, "")}, snapshot_kind::latest));
  BOOST_TEST(read_snapshot(pages, owner.agent, snapshot_kind::latest) == "");
  BOOST_TEST(read_snapshot(pages, owner.agent, snapshot_kind::oldest)
             == text_of(std::vector{row(1, "uno")}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(is_read_in_more_than_one_part, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  std::vector<snapshot_row> rows;
  for (uint64_t i = 0; i < 600; ++i)
    rows.push_back(row(i * 7 % 600, "event " + std::to_string(i)));
  BOOST_TEST(!move(pages, owner, 600, rows));
  read_snapshot(pages, owner.agent, snapshot_kind::latest);
  uint64_t seen = 0;
  BOOST_TEST(!pages.tested->read_snapshot(owner.agent, snapshot_kind::latest,
    [&](snapshot_row&& x) { return x.number == seen && ++seen < 300; }));
  BOOST_TEST(seen == 300u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
