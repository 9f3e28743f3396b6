#define BOOST_TEST_MODULE slot_set
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "scratchpage/actors/page/index/slot_set.hpp"

namespace scratchpage {

namespace {

using model = std::set<uint32_t>;

std::vector<uint32_t> members(const slot_set& x) {
  std::vector<uint32_t> result;
  x.for_each([&](uint32_t slot) {
    result.push_back(slot);
    return true;
  });
  return result;
}

std::vector<uint32_t> members(const slot_chunk& x) {
  std::vector<uint32_t> result;
  x.for_each_descending(slot_set::chunk_slots, [&](uint16_t offset) {
    result.push_back(offset);
    return true;
  });
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<uint32_t> members(const model& x) {
  return {x.begin(), x.end()};
}

model random_model(std::mt19937& random, size_t size, uint32_t below) {
  model result;
  while (result.size() < size)
    result.insert(random() % below);
  return result;
}

slot_set filled(const model& x) {
  slot_set result;
  for (auto slot : x)
    result.add(slot);
  return result;
}

/// Sizes below and above each change of the representation.
constexpr size_t sizes[] = {0, 1, 3, 200, 257, 1500, 2048, 2049, 30'000};

} // namespace

BOOST_AUTO_TEST_CASE(it_agrees_with_a_set_while_it_grows_and_shrinks_through_all_its_forms) {
  std::mt19937 random{1};
  slot_set x;
  model expected;
  // Narrow ranges produce bitmaps, wide ones many chunks. The set first grows, then shrinks.
  for (uint32_t below : {300u, 70'000u, 10'000u, 400'000u})
    for (uint32_t adds_of_4 : {3u, 0u}) {
      for (int step = 0; step < 30'000; ++step) {
        auto slot = random() % below;
        if (random() % 4 < adds_of_4)
          BOOST_REQUIRE(x.add(slot) == expected.insert(slot).second);
        else
          BOOST_REQUIRE(x.remove(slot) == (expected.erase(slot) > 0));
        BOOST_REQUIRE(x.size() == expected.size());
        auto other = random() % below;
        BOOST_REQUIRE(x.contains(other) == expected.contains(other));
      }
      BOOST_REQUIRE(members(x) == members(expected));
    }
}

BOOST_AUTO_TEST_CASE(a_moved_set_takes_its_members_along) {
  for (auto size : sizes) {
    std::mt19937 random{2};
    auto expected = random_model(random, size, 100'000);
    auto x = filled(expected);
    slot_set y{std::move(x)};
    BOOST_TEST(x.empty()); // NOLINT(bugprone-use-after-move): this is under test
    BOOST_TEST((members(y) == members(expected)));
    x = std::move(y);
    BOOST_TEST((members(x) == members(expected)));
    BOOST_TEST(x.add(1'000'000));
  }
}

BOOST_AUTO_TEST_CASE(chunks_intersect_unite_and_subtract_like_sets_in_every_pair_of_forms) {
  std::mt19937 random{3};
  auto work = std::make_unique<slot_chunk>();
  for (auto left : sizes)
    for (auto right : sizes) {
      auto a = random_model(random, left, slot_set::chunk_slots);
      auto b = random_model(random, right, slot_set::chunk_slots);
      auto x = filled(a);
      auto y = filled(b);
      slot_set::scratch room_x;
      slot_set::scratch room_y;
      auto expect = [&](auto algorithm) {
        std::vector<uint32_t> result;
        algorithm(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
        BOOST_REQUIRE(members(*work) == result);
        BOOST_REQUIRE(work->count() == result.size());
        for (uint32_t probe = 0; probe < 100; ++probe)
          BOOST_REQUIRE(work->contains(static_cast<uint16_t>(probe))
                        == std::binary_search(result.begin(), result.end(), probe));
      };
      work->assign(x.chunk(0, room_x));
      work->intersect(y.chunk(0, room_y));
      expect([](auto... args) { std::set_intersection(args...); });
      work->assign(x.chunk(0, room_x));
      work->subtract(y.chunk(0, room_y));
      expect([](auto... args) { std::set_difference(args...); });
      work->assign(x.chunk(0, room_x));
      work->unite(y.chunk(0, room_y));
      expect([](auto... args) { std::set_union(args...); });
    }
}

BOOST_AUTO_TEST_CASE(a_chunk_is_clipped_and_filtered_and_read_from_any_point) {
  std::mt19937 random{4};
  auto work = std::make_unique<slot_chunk>();
  for (auto size : sizes) {
    auto all = random_model(random, size, slot_set::chunk_slots);
    auto x = filled(all);
    slot_set::scratch room;
    for (auto [from, to] : {std::pair{0u, 65'536u}, {1u, 64u}, {64u, 65u}, {1000u, 50'001u},
           {40'000u, 65'535u}, {70'000u, 0u}}) {
      work->assign(x.chunk(0, room));
      work->clip(from, to);
      std::vector<uint32_t> expected;
      for (auto slot : all)
        if (slot >= from && slot < to)
          expected.push_back(slot);
      BOOST_REQUIRE(members(*work) == expected);
      BOOST_REQUIRE(work->count() == expected.size());
    }
    work->assign(x.chunk(0, room));
    std::vector<uint32_t> asked;
    work->keep_if([&](uint16_t offset) {
      asked.push_back(offset);
      return offset % 3 == 0;
    });
    BOOST_TEST((asked == std::vector<uint32_t>(all.rbegin(), all.rend())));
    std::erase_if(all, [](uint32_t slot) { return slot % 3 != 0; });
    BOOST_TEST((members(*work) == members(all)));
    for (uint32_t below : {0u, 1u, 64u, 100u, 33'333u, 65'536u}) {
      std::vector<uint32_t> seen;
      work->for_each_descending(below, [&](uint16_t offset) {
        seen.push_back(offset);
        return true;
      });
      std::vector<uint32_t> expected(
        std::make_reverse_iterator(all.lower_bound(below)), all.rend());
      BOOST_TEST((seen == expected));
    }
    for (uint32_t from : {0u, 1u, 64u, 100u, 33'333u, 65'535u}) {
      std::vector<uint32_t> seen;
      BOOST_TEST(work->for_each_ascending(from, [&](uint16_t offset) {
        seen.push_back(offset);
        return true;
      }));
      BOOST_TEST((seen == std::vector<uint32_t>(all.lower_bound(from), all.end())));
    }
    auto looked_at = 0;
    BOOST_TEST(
      work->for_each_ascending(0, [&](uint16_t) { return ++looked_at, false; }) == all.empty());
    BOOST_TEST(looked_at == (all.empty() ? 0 : 1));
  }
}

BOOST_AUTO_TEST_CASE(members_before_and_after_a_slot_are_read_as_many_as_there_is_room_for) {
  std::mt19937 random{11};
  for (auto size : sizes)
    for (uint32_t below : {70'000u, 400'000u}) {
      auto expected = random_model(random, size, below);
      auto x = filled(expected);
      for (int i = 0; i < 500; ++i) {
        auto slot = random() % below;
        std::vector<uint32_t> read(random() % 20);
        std::vector<uint32_t> after(expected.upper_bound(slot), expected.end());
        after.resize(std::min(after.size(), read.size()));
        read.resize(x.after(slot, read));
        BOOST_REQUIRE(read == after);
        read.resize(random() % 20);
        std::vector<uint32_t> before(
          std::make_reverse_iterator(expected.lower_bound(slot)), expected.rend());
        before.resize(std::min(before.size(), read.size()));
        read.resize(x.before(slot, read));
        BOOST_REQUIRE(read == before);
      }
    }
}

BOOST_AUTO_TEST_CASE(members_before_and_after_are_read_across_chunks_with_gaps) {
  slot_set x;
  std::vector<uint32_t> all; // in a bitmap and in three short lists
  for (uint32_t i = 0; i < 3'000; ++i)
    all.push_back(i);
  for (uint32_t chunk : {3u, 4u, 60'000u})
    all.push_back(chunk * slot_set::chunk_slots + chunk);
  for (auto slot : all)
    x.add(slot);
  std::vector<uint32_t> read(5);
  BOOST_REQUIRE(x.after(2'997, read) == 5u);
  BOOST_TEST((read == std::vector<uint32_t>(all.end() - 5, all.end())));
  BOOST_TEST(x.after(all.back(), read) == 0u);
  BOOST_REQUIRE(x.before(UINT32_MAX, read) == 5u);
  BOOST_TEST((read == std::vector<uint32_t>(all.rbegin(), all.rbegin() + 5)));
  BOOST_TEST(x.before(0, read) == 0u);
}

BOOST_AUTO_TEST_CASE(those_of_ascending_slots_that_are_members_are_found) {
  std::mt19937 random{14};
  for (auto size : sizes)
    for (uint32_t below : {70'000u, 400'000u}) {
      auto expected = random_model(random, size, below);
      auto x = filled(expected);
      for (size_t wanted : {0u, 1u, 17u, 300u, 5'000u})
        for (auto width : {5'000u, below}) { // near each other, as in a thread, and far
          auto from = random() % (below - width + 1);
          model asked;
          for (size_t i = 0; i < wanted; ++i)
            asked.insert(from + random() % width);
          auto slots = members(asked);
          std::vector<uint32_t> positions;
          for (uint32_t i = 0; i < slots.size(); ++i)
            if (expected.contains(slots[i]))
              positions.push_back(i);
          std::vector<uint32_t> found(slots.size());
          found.resize(x.find(slots, found));
          BOOST_REQUIRE(found == positions);
          auto all = members(expected); // the other way round
          found.resize(all.size());
          found.resize(filled(asked).find(all, found));
          BOOST_REQUIRE(found.size() == positions.size());
        }
    }
}

BOOST_AUTO_TEST_CASE(what_two_sets_share_is_counted_and_kept) {
  std::mt19937 random{12};
  for (auto size : sizes)
    for (auto other_size : sizes) {
      auto a = random_model(random, size, 150'000);
      auto b = random_model(random, other_size, 150'000);
      model both;
      std::set_intersection(
        a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
      auto x = filled(a);
      BOOST_REQUIRE(count_shared(x, filled(b)) == both.size());
      x.keep_shared(filled(b));
      BOOST_REQUIRE(x.size() == both.size());
      BOOST_REQUIRE(members(x) == members(both));
      for (auto slot : members(a)) // it works on
        x.add(slot);
      BOOST_REQUIRE(members(x) == members(a));
    }
}

BOOST_AUTO_TEST_CASE(a_set_tells_the_bytes_that_it_takes) {
  slot_set x;
  BOOST_TEST(x.bytes() == 0u);
  for (uint32_t slot = 0; slot < 100; ++slot)
    x.add(slot);
  BOOST_TEST(x.bytes() >= 400u);
  for (uint32_t slot = 0; slot < 65'536; ++slot)
    x.add(slot);
  BOOST_TEST(x.bytes() >= 8'192u);
  BOOST_TEST(x.bytes() < 10'000u);
  for (uint32_t slot = 0; slot < 65'536; ++slot)
    x.remove(slot);
  BOOST_TEST(x.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(a_chunk_is_the_union_of_views) {
  std::mt19937 random{13};
  for (auto size : sizes) {
    auto a = random_model(random, size, 65'536);
    auto b = random_model(random, 100, 65'536);
    auto one = filled(a);
    auto two = filled(b);
    slot_set::scratch room_one;
    slot_set::scratch room_two;
    std::vector<slot_chunk::view> views{one.chunk(0, room_one), two.chunk(0, room_two)};
    slot_chunk x;
    x.assign_union(views);
    auto both = a;
    both.insert(b.begin(), b.end());
    BOOST_REQUIRE(x.count() == both.size());
    BOOST_REQUIRE(members(x) == members(both));
  }
}

} // namespace scratchpage
