#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scratchpage/actors/page/index/field_index.hpp"
#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/actors/page/index/slot_set.hpp"

namespace scratchpage {

/// Finds the rows that match a filter, in chunks of 2^16 rows.
class observation_index::scan {
public:
  scan(observation_index& index, const index_query& q)
    : index_{index},
      q_{q} {
    can_match_ = !index.rows_.empty() && index.fields_.plan(*q.filter, plan_);
    if (!can_match_)
      return;
    auto first = *index.rows_.first();
    auto last = *index.rows_.last() + 1;
    auto has_range = q.filter->created_after || q.filter->created_before;
    clips_ = has_range && index.is_in_order();
    checks_created_ = has_range && !clips_;
    if (clips_ && q.filter->created_after)
      first = std::max(first, index.first_created(*q.filter->created_after, true));
    if (clips_ && q.filter->created_before)
      last = std::min(last, index.first_created(*q.filter->created_before, false));
    can_match_ = first < last;
    first_ = index.slot_of(first);
    last_ = index.slot_of(last - 1);
    if (!index.overdue_.empty())
      plan_.none_of.push_back(&index.overdue_);
    // There are overdue rows that note_overdue has not moved.
    auto next = index.next_waiting();
    plan_.check_deadlines = next && next->deadline <= q.now;
  }

  bool is_partial() const { return is_partial_; }

  /// Calls `f(base, chunk)` with the matches in each chunk, the newest chunk first. `base` is the
  /// number of the chunk's first slot.
  template <class F>
  void for_each_chunk(F&& f) {
    for_each_chunk([](uint16_t) { return true; },
      [&](uint16_t key, const slot_chunk& chunk) {
        f(index_.number_of(uint32_t{key} << 16), chunk);
      });
  }

  /// Calls `f(key, chunk)` with the matches in each chunk for which `wants(key)` returns true, the
  /// newest chunk first. `key` has the upper 16 bits of its slots.
  template <class Wants, class F>
  void for_each_chunk(Wants&& wants, F&& f) {
    if (!can_match_)
      return;
    // The time is checked after a chunk, so that there is always an answer.
    for (auto key = last_ >> 16;; --key) {
      if (wants(static_cast<uint16_t>(key)) && load(static_cast<uint16_t>(key)))
        f(static_cast<uint16_t>(key), work_);
      if (key == first_ >> 16 || out_of_time())
        return;
    }
  }

  /// Calls `f(number)` with the matches from a number on, the oldest first, until `f` returns false
  /// or the time is over. Returns the first number that was not looked at.
  template <class F>
  uint64_t for_each_from(uint64_t from, F&& f) {
    constexpr uint64_t end = UINT64_MAX;
    if (!can_match_ || from > index_.number_of(last_))
      return end;
    auto first = from > index_.number_of(first_) ? index_.slot_of(from) : first_;
    auto next = end;
    for (auto key = first >> 16; key <= last_ >> 16; ++key) {
      if (!select(static_cast<uint16_t>(key)))
        continue;
      auto base = index_.number_of(key << 16);
      auto wants_more = work_.for_each_ascending(
        key == first >> 16 ? first % slot_set::chunk_slots : 0, [&](uint16_t offset) {
          next = base + offset + 1;
          auto is_match = !has_checks() || passes(**index_.rows_.find(base + offset));
          return (!is_match || f(base + offset)) && !is_time_to_end();
        });
      if (!wants_more)
        return next;
    }
    return end;
  }

  /// Whether the observation in a slot matches.
  bool matches(uint32_t slot) {
    auto is_in = [slot](const slot_set* set) { return set->contains(slot); };
    return can_match_ && slot >= first_ && slot <= last_
           && std::ranges::all_of(plan_.all_of,
             [&](const auto& clause) { return std::ranges::any_of(clause.any_of, is_in); })
           && std::ranges::none_of(plan_.none_of, is_in)
           && (!has_checks() || passes(index_.at(slot)));
  }

private:
  bool out_of_time() {
    is_partial_ = is_partial_ || (q_.out_of_time && q_.out_of_time());
    return is_partial_;
  }

  /// Counts a row that was looked at. Returns whether the time is over.
  bool is_time_to_end() { return ++looked_at_ % poll_every() == 0 && out_of_time(); }

  /// After how many rows the time is checked. Each path in the filter costs a walk over a row's
  /// context.
  size_t poll_every() const { return 1024 / (1 + 16 * plan_.context.size()) + 1; }

  bool load(uint16_t key) {
    if (!select(key))
      return false;
    if (has_checks())
      check(index_.number_of(uint32_t{key} << 16));
    return work_.count() > 0;
  }

  /// Selects rows of a chunk by the posting sets only. Returns whether there are any.
  bool select(uint16_t key) {
    bool is_first = true;
    for (const auto& clause : plan_.all_of) {
      auto rows = rows_of(clause, key);
      if (rows.count == 0)
        return false;
      if (is_first)
        work_.assign(rows);
      else
        work_.intersect(rows);
      is_first = false;
      if (work_.count() == 0)
        return false;
    }
    for (const auto* set : plan_.none_of)
      work_.subtract(set->chunk(key, room_));
    auto base = uint32_t{key} << 16;
    if (clips_)
      work_.clip(
        first_ > base ? first_ - base : 0, std::min(last_ - base + 1, slot_set::chunk_slots));
    return work_.count() > 0;
  }

  slot_chunk::view rows_of(const query_plan::clause& clause, uint16_t key) {
    if (clause.any_of.size() == 1)
      return clause.any_of.front()->chunk(key, room_);
    union_.assign({});
    for (const auto* set : clause.any_of)
      union_.unite(set->chunk(key, room_));
    return union_.as_view();
  }

  void check(uint64_t base) {
    looked_at_ = 0;
    work_.keep_if([&](uint16_t offset) {
      if (is_partial_ || is_time_to_end())
        return false;
      return passes(**index_.rows_.find(base + offset));
    });
  }

  bool has_checks() const { return checks_created_ || plan_.has_checks(); }

  bool is_in_range(const observation& x) const {
    const auto& filter = *q_.filter;
    return (!filter.created_after || x.created_at > *filter.created_after)
           && (!filter.created_before || x.created_at < *filter.created_before);
  }

  bool passes(const observation& x) {
    return (!checks_created_ || is_in_range(x)) && (!plan_.check_deadlines || x.expires_at > q_.now)
           && (!plan_.min_confidence || x.confidence >= *plan_.min_confidence)
           && std::all_of(plan_.context.begin(), plan_.context.end(),
             [&](const auto& wanted) { return has(x.context, wanted.first, wanted.second); });
  }

  bool has(const json::object& context, std::string_view path, std::string_view spelling) {
    return !scalars_.for_each(context, [&](std::string_view p, std::string_view s) {
      return p != path || s != spelling; // continues until it is found
    });
  }

  observation_index& index_;
  const index_query& q_;
  query_plan plan_;
  bool can_match_ = false;
  bool is_partial_ = false;
  bool clips_ = false;          // the range of time is a range of slots
  bool checks_created_ = false; // the range of time is checked for each row
  uint32_t first_ = 0;          // the range of slots, both included
  uint32_t last_ = 0;
  size_t looked_at_ = 0;
  slot_chunk work_;
  slot_chunk union_;
  slot_set::scratch room_;
  context_scalars scalars_;
};

} // namespace scratchpage
