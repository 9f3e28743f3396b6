#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/index/text_index.hpp"
#include "scratchpage/actors/page/index/text_search.hpp"
#include "scratchpage/tests/support/observations.hpp"

namespace scratchpage::test {

/// A text index and the observations that it has.
struct text_fixture {
  std::map<uint32_t, observation> all;
  text_index index;

  explicit text_fixture(const text_config& config = {})
    : index{config} {}

  void add(uint32_t slot, std::string content, std::vector<std::string> tags = {}) {
    auto x = plain_observation(slot, std::move(content));
    x.created_at = day_of_all;
    x.tags = std::move(tags);
    if (auto known = all.find(slot); known != all.end())
      index.change(slot, known->second, x);
    else
      index.insert(slot);
    all.insert_or_assign(slot, std::move(x));
  }

  void erase(uint32_t slot) {
    index.erase(slot, all.at(slot));
    all.erase(slot);
  }

  auto lookup() {
    return [this](uint32_t slot) -> const observation* { return &all.at(slot); };
  }

  /// All observations of a chunk.
  slot_chunk chunk(uint16_t key) const {
    slot_set slots;
    for (const auto& [slot, x] : all)
      slots.add(slot);
    slot_set::scratch room;
    slot_chunk result;
    result.assign(slots.chunk(key, room));
    return result;
  }

  /// Searches in all chunks, the last one first.
  text_search search(std::string_view text, size_t limit = SIZE_MAX, text_index::stop stop = {}) {
    index.catch_up(lookup(), {});
    text_search result{index, text, limit, std::move(stop)};
    if (all.empty())
      return result;
    for (auto key = all.rbegin()->first >> 16;; --key) {
      if (result.enter(static_cast<uint16_t>(key)))
        result.look_at(chunk(static_cast<uint16_t>(key)));
      if (key == 0)
        return result;
    }
  }

  std::vector<text_search::match> matches(std::string_view text, size_t limit = SIZE_MAX) {
    auto result = search(text, limit);
    BOOST_TEST(!result.is_partial());
    return result.best();
  }

  /// In ascending order.
  std::vector<uint64_t> found(std::string_view text) {
    std::vector<uint64_t> result;
    for (const auto& x : matches(text))
      result.push_back(x.slot);
    std::ranges::sort(result);
    return result;
  }

  /// The score of the observation; 0 if it is not found.
  double score(uint32_t slot, std::string_view text) {
    for (const auto& x : matches(text))
      if (x.slot == slot)
        return x.score;
    return 0;
  }

  /// 8 May 2023
  const timestamp day_of_all = *from_rfc3339("2023-05-08T13:56:00Z");
};

} // namespace scratchpage::test
