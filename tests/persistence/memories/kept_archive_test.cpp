#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/memories/archive.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/observations.hpp"

/// Limits on what one listing of the archive reads.

namespace scratchpage::test {

namespace {

/// An archive that counts the bodies that are read.
class watched_archive : public memory_store {
public:
  caf::error read_archive(
    uint64_t agent, const archive_range& range, const visitor<archive_row>& f) override {
    return memory_store::read_archive(agent, range, [&](archive_row&& row) {
      bodies += row.body.empty() ? 0 : 1;
      return f(std::move(row));
    });
  }

  size_t bodies = 0;
};

/// A clock that `takes` advances at each reading.
class slow_clock : public scratchpage::clock {
public:
  timestamp now() const override { return {}; }
  timespan steady() const override { return looks_++ * takes; }

  timespan takes{};

private:
  mutable int64_t looks_ = 0;
};

struct listed_archive {
  std::shared_ptr<watched_archive> in = std::make_shared<watched_archive>();
  ownership owner = *in->claim("tester");
  std::shared_ptr<slow_clock> clock = std::make_shared<slow_clock>();
  stored_archive kept{in, owner.agent, clock};
  uint64_t last = 0;

  void archive(uint64_t count, const std::string& content = "something") {
    std::vector<archive_row> rows;
    for (uint64_t i = 0; i < count; ++i) {
      auto x = plain_observation(++last, content);
      x.status = status::archived;
      rows.push_back(to_archive_row(last, at_ms(static_cast<int64_t>(last)), x, to_json_text(x)));
    }
    BOOST_REQUIRE(!in->add_archived(owner, rows));
  }

  query_result list(
    const observation_filter& filter, uint32_t limit = 10, const std::string& cursor = "") const {
    auto found = kept.list(filter, limit, cursor);
    BOOST_REQUIRE_MESSAGE(found, describe(found ? caf::error{} : found.error()));
    return *found;
  }

  /// Reads all pages of a listing. Returns the number of pages and of observations.
  std::pair<size_t, size_t> page_through(const observation_filter& filter) const {
    size_t pages = 0;
    size_t found = 0;
    for (std::string cursor; pages == 0 || !cursor.empty();) {
      auto page = list(filter, 10, cursor);
      ++pages;
      found += page.observations.size();
      cursor = page.next_cursor;
      BOOST_TEST((page.partial || cursor.empty()));
    }
    return {pages, found};
  }
};

observation_filter with_tag(std::string tag) {
  observation_filter result;
  result.tags = {std::move(tag)};
  return result;
}

constexpr size_t large = 60'000; // bytes that take six characters each in JSON
constexpr size_t one_look = stored_archive::max_bytes / (large * 6) + 1;
constexpr size_t more_than_one_look = one_look + one_look / 2;

} // namespace

BOOST_AUTO_TEST_SUITE(a_kept_archive)

BOOST_FIXTURE_TEST_CASE(that_fills_an_answer_is_counted_and_not_read, listed_archive) {
  archive(200);
  auto first = list({});
  BOOST_TEST(first.observations.size() == 10u);
  BOOST_TEST(first.total_count == 200u);
  BOOST_TEST(!first.partial);
  BOOST_TEST(in->bodies == 11u);
  auto second = list({}, 10, first.next_cursor);
  BOOST_TEST(second.observations.front()->observation_id == "obs_20251105_190");
  BOOST_TEST(second.total_count == 200u);
  BOOST_TEST(in->bodies == 22u);
  observation_filter none;
  none.type = {"alert"};
  BOOST_TEST(list(none).total_count == 0u);
  BOOST_TEST(in->bodies == 22u);
}

BOOST_FIXTURE_TEST_CASE(that_only_bodies_tell_of_is_read_to_count_it, listed_archive) {
  archive(50);
  auto found = list(with_tag("none"));
  BOOST_TEST(found.total_count == 0u);
  BOOST_TEST(in->bodies == 50u);
  observation_filter sure;
  sure.min_confidence = 0.1;
  auto first = list(sure);
  BOOST_TEST(first.total_count == 50u);
  BOOST_TEST(list(sure, 10, first.next_cursor).total_count == 50u);
}

BOOST_FIXTURE_TEST_CASE(is_read_for_so_many_bytes_and_on_from_its_cursor, listed_archive) {
  archive(more_than_one_look, std::string(large, '\x01'));
  auto found = list(with_tag("none"));
  BOOST_TEST(found.partial);
  BOOST_TEST(found.observations.empty());
  BOOST_TEST(in->bodies <= one_look + 1);
  in->bodies = 0;
  auto [pages, all] = page_through(with_tag("none"));
  BOOST_TEST(pages == 2u);
  BOOST_TEST(all == 0u);
  BOOST_TEST(in->bodies <= pages * (one_look + 1) + 1);
}

BOOST_FIXTURE_TEST_CASE(is_read_for_so_long_and_on_from_its_cursor, listed_archive) {
  archive(30);
  clock->takes = std::chrono::milliseconds{100};
  auto found = list(with_tag("none"));
  BOOST_TEST(found.partial);
  BOOST_TEST(in->bodies < 15u);
  auto [pages, all] = page_through(with_tag("none"));
  BOOST_TEST(pages > 2u);
  BOOST_TEST(all == 0u);
}

BOOST_FIXTURE_TEST_CASE(finds_what_no_row_of_a_database_could_have_as_it_is, listed_archive) {
  auto x = plain_observation(1);
  x.status = status::expired;
  x.owner = x.source.name = std::string{"a\0b", 3};
  auto row = to_archive_row(1, at_ms(1), x, to_json_text(x));
  for (const auto& text : {row.owner, row.source, row.body})
    BOOST_TEST(text.find('\0') == std::string::npos);
  BOOST_REQUIRE(!in->add_archived(owner, {&row, 1}));
  observation_filter filter;
  filter.owner = {x.owner};
  BOOST_TEST(list(filter).total_count == 1u);
  filter.owner = {row.owner}; // looks the same but is another name
  BOOST_TEST(list(filter).observations.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
