#include <limits>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"

namespace scratchpage {

using namespace test;

namespace {

/// The largest number that a store accepts: 2^63 - 1.
constexpr auto largest = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());

/// The earliest and latest timestamps, in milliseconds since 1970.
constexpr int64_t earliest_ms = -9'223'372'036'854;
constexpr int64_t latest_ms = 9'223'372'036'854;

std::vector<std::string> odd_texts() {
  return {"it's", R"("quoted" \'twice\')", "two\nlines\r\n\tand a tab", "$1 $2; DROP TABLE agent",
    "%_?:name", "\u00fcber \u20ac \U0001f9e0 \u2028", " leading and trailing ", "\x01\x7f",
    R"({"a":"\u0000"})", "", std::string(500, 'x')};
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_stored)

BOOST_AUTO_TEST_CASE_TEMPLATE(text_comes_back_as_it_was, Place, every_store) {
  in_step<Place> pages;
  for (const auto& text : odd_texts()) {
    auto owner = claim(pages, text);
    auto x = archived(1);
    x.observation_id = x.type = x.status = x.source = x.owner = x.turn_id = x.body = text;
    BOOST_TEST(!append(pages, next(owner, 0, 1, {x}, text)));
    auto changed = row(1, text);
    BOOST_TEST(!pages.move_snapshot(owner, snapshot_kind::latest, {1, 1, 0, 0}, {&changed, 1}));
    BOOST_TEST(!put(pages, owner, doc(text, text, "{}")));
    BOOST_TEST(!put(pages, owner, doc("goals", text, text)));
    BOOST_TEST(
      read_documents(pages, owner.agent, text) == text_of(std::vector{doc(text, text, "{}")}));
    archive_range range{{text}, {text}, {text}, {text}, text, text};
    BOOST_TEST(read_archive(pages, owner.agent, range) == text_of(std::vector{x}));
  }
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(body_may_be_long, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  std::string text(1'000'000, 'x');
  auto x = archived(1);
  x.body = text;
  BOOST_TEST(!append(pages, next(owner, 0, 1, {x}, text)));
  BOOST_TEST(!put(pages, owner, doc("goals", "tea", text)));
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(checksum_may_be_any_number, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  uint64_t after = 0;
  for (auto checksum : {uint64_t{0}, uint64_t{1}, largest, largest + 1, UINT64_MAX}) {
    auto x = next(owner, after, 1, {archived(after + 1)});
    ++after;
    x.group.checksum = x.archived.front().checksum = checksum;
    BOOST_TEST(!append(pages, x));
    snapshot_row changed{after, "{}", checksum};
    BOOST_TEST(!pages.move_snapshot(owner, snapshot_kind::latest, {}, {&changed, 1}));
    BOOST_TEST(!put(pages, owner, {"goals", std::to_string(after), "{}", checksum}));
  }
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(time_may_be_any_millisecond, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  uint64_t after = 0;
  for (auto ms : {earliest_ms, int64_t{-1}, int64_t{0}, int64_t{1}, latest_ms}) {
    auto x = next(owner, after, 1, {archived(after + 1)});
    ++after;
    x.group.at = x.archived.front().created_at = x.archived.front().left_at = at_millisecond(ms);
    BOOST_TEST(!append(pages, x));
    snapshot_head head{1, 1, 0, 0, at_millisecond(ms)};
    BOOST_TEST(!pages.move_snapshot(owner, snapshot_kind::latest, head, {}));
    BOOST_TEST((pages.find_snapshot(owner.agent, snapshot_kind::latest) == head));
    read_archive(pages, owner.agent, {.created_after = at_millisecond(ms)});
    read_archive(pages, owner.agent, {.created_before = at_millisecond(ms)});
  }
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(number_may_be_as_large_as_it_gets, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  snapshot_head head{largest, largest, largest, largest, {}};
  std::vector rows{row(0, "none"), row(largest, "many"), row(largest - 1, "nearly as many")};
  BOOST_TEST(!pages.move_snapshot(owner, snapshot_kind::latest, head, rows));
  auto last_row = archived(1);
  last_row.sequence = largest - 1;
  auto up_to_the_last = next(owner, 0, 1, {last_row});
  up_to_the_last.group.last = largest - 1;
  auto the_last = next(owner, largest - 1, 1);
  BOOST_TEST(!append(pages, up_to_the_last));
  BOOST_TEST(!append(pages, the_last));
  pages.check_contents();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
