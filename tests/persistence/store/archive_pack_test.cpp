#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/store/compression.hpp"
#include "scratchpage/tests/persistence/store/choices.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"
#include "scratchpage/tests/support/observations.hpp"

/// Old rows of the archive are stored compressed; reading gives the same as before.

namespace scratchpage {

using namespace test;

namespace {

/// An archive of rows of which one leaves each millisecond, from 2001 ms on.
template <class Place>
struct long_archive : in_step<Place> {
  explicit long_archive(uint64_t count)
    : owner{claim(*this)} {
    std::vector<archive_row> rows;
    for (uint64_t i = 1; i <= count; ++i)
      rows.push_back(archived(i, "obs_" + std::to_string(i % 50), i % 3 == 0 ? "note" : "alert"));
    BOOST_REQUIRE(!append(*this, next(owner, 0, count, std::move(rows))));
  }

  uint64_t pack(int64_t left_before, uint64_t most = 1'000'000) {
    auto count = this->pack_archive(owner, at_millisecond(left_before), most);
    BOOST_REQUIRE(count);
    return *count;
  }

  int64_t count(const std::string& statement) {
    int64_t result = 0;
    this->place.connector()()->run(
      statement, {}, [&](const sql::row& x) { result = x.integer(0); });
    return result;
  }

  int64_t packs() { return count("SELECT COUNT(*) FROM archive_pack"); }
  int64_t bodies() { return count("SELECT COUNT(*) FROM archive WHERE body <> ''"); }

  ownership owner;
};

constexpr int64_t ever = 1'000'000;

} // namespace

BOOST_AUTO_TEST_SUITE(packs)

BOOST_AUTO_TEST_CASE(give_back_what_went_in) {
  choices pick{7};
  for (int i = 0; i < 200; ++i) {
    archive_bodies bodies;
    for (auto n = pick.below(30); n > 0; --n) {
      std::string body;
      for (auto parts = pick.below(20); parts > 0; --parts)
        body += pick.text();
      bodies.emplace(pick.below(1'000'000), std::move(body));
    }
    auto again = unpack(pack(bodies));
    BOOST_REQUIRE(again);
    BOOST_TEST((*again == bodies));
  }
}

BOOST_AUTO_TEST_CASE(that_are_cut_short_or_none_are_refused) {
  auto whole = pack({{1, "one"}, {2, std::string(1000, 'x')}});
  for (size_t size = 0; size < whole.size(); ++size)
    BOOST_TEST(!unpack(std::string_view{whole}.substr(0, size)));
  BOOST_TEST(!unpack("some other text"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(hold_all_that_left_before, Place, every_store) {
  long_archive<Place> archive{600};
  BOOST_TEST(archive.pack(2001) == 0u);
  BOOST_TEST(archive.packs() == 0);
  BOOST_TEST(archive.pack(2301) == 300u);
  BOOST_TEST(archive.bodies() == 300);
  BOOST_TEST(archive.packs() == 2);
  archive.check_contents();
  BOOST_TEST(archive.pack(ever) == 300u);
  BOOST_TEST(archive.bodies() == 0);
  BOOST_TEST(archive.packs() == 3); // 256, 256 and 88 rows: the second pack was filled up
  archive.check_contents();
  archive.reopen();
  archive.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_filled_up_a_few_rows_at_a_time, Place, every_store) {
  long_archive<Place> archive{40};
  for (int i = 0; i < 13; ++i)
    BOOST_TEST(archive.pack(ever, 3) == 3u);
  BOOST_TEST(archive.pack(ever, 3) == 1u);
  BOOST_TEST(archive.pack(ever, 3) == 0u);
  BOOST_TEST(archive.packs() == 1);
  archive.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_asked_as_rows_are, Place, every_store) {
  long_archive<Place> archive{700};
  archive.pack(2600);
  archive_range range;
  range.type = {"note"};
  read_archive(archive, archive.owner.agent, range);
  range.before = 300;
  read_archive(archive, archive.owner.agent, range);
  range.after = 5;
  range.oldest_first = true;
  read_archive(archive, archive.owner.agent, range);
  range = {};
  range.observation_id = "obs_7";
  read_archive(archive, archive.owner.agent, range);
  range.left_before = at_millisecond(2400);
  read_archive(archive, archive.owner.agent, range);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(lose_what_is_removed, Place, every_store) {
  long_archive<Place> archive{300};
  archive.pack(2281);
  std::vector<uint64_t> some{1, 7, 256, 257, 299, 1000};
  BOOST_TEST(!archive.remove_archived(archive.owner, some));
  archive.check_contents();
  BOOST_TEST(archive.count("SELECT SUM(row_count) FROM archive_pack") == 276);
  std::vector<uint64_t> second_pack;
  for (uint64_t i = 257; i <= 280; ++i)
    second_pack.push_back(i);
  BOOST_TEST(!archive.remove_archived(archive.owner, second_pack));
  BOOST_TEST(archive.packs() == 1);
  archive.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(lose_what_is_cut_with_the_journal, Place, every_store) {
  in_step<Place> pages;
  auto owner = claim(pages);
  for (uint64_t i = 0; i < 10; ++i)
    BOOST_REQUIRE(!append(pages, next(owner, i, 1, {archived(i + 1)})));
  BOOST_TEST(*pages.pack_archive(owner, at_millisecond(ever), 100) == 10u);
  BOOST_TEST(!pages.cut_journal(owner, 6));
  pages.check_contents();
  auto other = archived(7, "obs_other");
  BOOST_TEST(!append(pages, next(owner, 6, 1, {other})));
  BOOST_TEST(*pages.pack_archive(owner, at_millisecond(ever), 100) == 1u);
  pages.check_contents();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(that_are_damaged_leave_rows_that_say_so, Place, every_store) {
  long_archive<Place> archive{3};
  archive.pack(2003);
  archive.place.connector()()->script("UPDATE archive_pack SET checksum = checksum + 1");
  std::string seen;
  BOOST_TEST(!archive.tested->read_archive(archive.owner.agent, {}, [&](archive_row&& x) {
    seen += x.body + (checksum_of(x.body) == x.checksum ? " whole " : " damaged ");
    return true;
  }));
  BOOST_TEST(seen == R"({"n":3} whole  damaged  damaged )");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(are_made_by_the_owner_only, Place, every_store) {
  long_archive<Place> archive{3};
  claim(archive);
  auto refused = archive.pack_archive(archive.owner, at_millisecond(ever), 10);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(text_of(refused.error()) == "conflict epoch");
}

BOOST_AUTO_TEST_CASE(of_texts_that_follow_each_other_are_each_as_if_it_were_alone) {
  compressor pack{1};
  for (size_t size : {0, 7, 70'000, 300, 1'000'000, 1}) {
    std::string text;
    while (text.size() < size)
      text += std::to_string(text.size() * 7919 % 1000) + " ";
    auto frame = pack(text);
    BOOST_TEST((frame == compress(text, 1)));
    BOOST_TEST((decompress(frame) == text));
  }
}

/// docs/durability.md has figures of real conversations.
BOOST_AUTO_TEST_CASE(of_observations_are_much_smaller_than_these) {
  archive_bodies bodies;
  size_t before = 0;
  for (uint64_t i = 1; i <= 256; ++i) {
    auto text =
      to_json_text(plain_observation(i, "The search for flight " + std::to_string(i * 7919 % 1000)
                                          + " to Paris found three seats left"));
    before += text.size();
    bodies.emplace(i, std::move(text));
  }
  BOOST_TEST(pack(bodies).size() * 8 < before);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
