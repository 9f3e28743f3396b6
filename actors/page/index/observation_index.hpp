#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/index/block_table.hpp"
#include "scratchpage/actors/page/index/deadline_poll.hpp"
#include "scratchpage/actors/page/index/deadline_queue.hpp"
#include "scratchpage/actors/page/index/field_index.hpp"
#include "scratchpage/actors/page/index/index_config.hpp"
#include "scratchpage/actors/page/index/slot_set.hpp"
#include "scratchpage/actors/page/index/subject_index.hpp"
#include "scratchpage/actors/page/index/text_index.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/shared_settings.hpp"

namespace scratchpage {

/// A query to the index. Owns nothing: what it refers to must outlive the call.
struct index_query {
  const observation_filter* filter = nullptr; ///< not null
  std::string_view text = {};                 ///< "": the answer is sorted newest first
  uint64_t limit = 10;                        ///< of `index_answer::numbers`
  /// Without a text: only numbers below this one are returned; 0: no bound. The total counts all
  /// matches in any case.
  uint64_t before = 0;
  timestamp now = {};                     ///< observations that expire by then do not match
  std::function<bool()> out_of_time = {}; ///< called about every 1024 steps; empty: no deadline
};

/// The first matches from a number on.
struct part_of_matches {
  std::vector<uint64_t> numbers; ///< oldest first
  uint64_t next = 0;             ///< the first number that was not looked at
};

struct index_answer {
  std::vector<uint64_t> numbers; ///< at most `limit`, in order
  uint64_t total = 0;            ///< number of matches; if `partial`, of those that were found
  bool more = false;             ///< whether there are matches after `numbers`
  bool partial = false;          ///< whether the time was over before the end
};

/// The index of a page's observations: by number, by each field of a filter, by text, by deadline
/// and by subject (contract 2, 3). Numbers are the n of the ids. They grow with each insertion, so
/// their order is the order of creation. If the clock is set back, `created_at` may fall in this
/// order, and `now` may go back.
class observation_index {
public:
  struct limits {
    /// Slots until rows get new slots. The numbers of observations in the index must span fewer.
    uint32_t slots = UINT32_MAX - 1024;
  };

  explicit observation_index(shared_settings<text_config> text = {})
    : observation_index{std::move(text), limits{}} {}
  observation_index(shared_settings<text_config> text, limits bounds)
    : limits_{bounds},
      text_{std::move(text)} {}
  observation_index(const observation_index&) = delete;
  observation_index& operator=(const observation_index&) = delete;

  /// Adds an observation; @pre `number` is larger than all earlier ones, and `x` is not null.
  void insert(uint64_t number, observation_ptr x);
  /// Replaces an observation by a new revision; @pre it is in the index.
  void replace(uint64_t number, observation_ptr x);
  /// Removes an observation and returns it, or null if it is not in the index.
  observation_ptr erase(uint64_t number);
  /// The observation, or null. Also finds one that has expired.
  observation_ptr find(uint64_t number) const;

  size_t size() const { return rows_.size(); }
  /// The largest number plus 1; 0 if the index is empty.
  uint64_t end() const { return rows_.empty() ? 0 : *rows_.last() + 1; }
  /// The number of active and pending observations, including those that have expired but were not
  /// erased.
  size_t live() const { return fields_.live(); }

  /// The matches, newest first; with a text by relevance, and newest first among equals. If the
  /// filter has any condition, the text only ranks the matches; otherwise it selects them, and
  /// neighbours of the best ones may stand among them, which the total does not count.
  index_answer query(const index_query& q);

  /// The first `limit` matches from a number on, for callers that read all matches part by part.
  /// The time is proportional to the rows that are looked at. Ends earlier when `out_of_time`
  /// returns true, but looks at some rows in any case.
  part_of_matches matches_from(uint64_t from, const observation_filter& filter, timestamp now,
    size_t limit, const std::function<bool()>& out_of_time = {});

  /// Indexes up to `limit` new texts now instead of in the next query with a text, until the time
  /// is over. Returns false if any are left.
  bool catch_up(size_t limit, const std::function<bool()>& out_of_time = {});
  /// Whether there are new texts, and room for them.
  bool can_catch_up() const { return text_.can_catch_up(); }

  /// The bytes, about, that the text index takes.
  uint64_t text_bytes() const { return text_.bytes(); }
  /// The observations whose texts are not indexed yet.
  uint64_t waiting_texts() const { return text_.waiting(); }

  /// Limits the bytes of the text index. Texts without room are not found by a text.
  void keep_texts_within(uint64_t max_bytes) { text_.keep_within(max_bytes); }

  /// The earliest deadline of an observation that `due` has not returned yet.
  std::optional<timestamp> next_deadline();

  /// The observations whose deadline has passed, the earliest first, and of equal ones the lowest
  /// number. They stay in the index until they are erased, but are returned only once, unless they
  /// are replaced.
  std::vector<uint64_t> due(timestamp now, size_t limit);

  /// The live observations that have not expired: by the weight of the type, then by confidence,
  /// then newest first. If the time is over, as many as one answer can have are sorted, and the
  /// rest is not.
  std::vector<uint64_t> by_priority(timestamp now, const type_weights& weights,
    const std::function<bool()>& out_of_time = {}) const;

  /// The same, of the observations that one of the filters selects.
  std::vector<uint64_t> by_priority(
    timestamp now, const type_weights& weights, std::span<const observation_filter> any_of);

  /// The number of live observations that have not expired.
  uint64_t count_active(timestamp now);

  /// The observations that contradict one: live, not expired, of the same type and subject, but
  /// with another content. In ascending order. Empty if the observation itself is not live.
  std::vector<uint64_t> contradicting(uint64_t number, timestamp now) const;

  /// The same for a series of observations. The result is not valid if the time of `poll` is over.
  contradiction_search search_contradictions(timestamp now, deadline_poll* poll) const;
  std::vector<uint64_t> contradicting(
    uint64_t number, timestamp now, contradiction_search& search) const;

  /// The subject of an observation as a text for people; "" if it has none.
  std::string subject_of(uint64_t number) const;

private:
  class scan;

  uint32_t slot_of(uint64_t number) const { return static_cast<uint32_t>(number - base_); }
  uint64_t number_of(uint32_t slot) const { return base_ + slot; }
  const observation& at(uint32_t slot) const { return **rows_.find(number_of(slot)); }

  void reassign_slots();
  void add_to_indexes(uint64_t number, const observation& x);
  void add_subject(uint32_t slot, const observation& x);
  bool is_waiting(const deadline_queue::entry& x) const;
  bool is_untold(const deadline_queue::entry& x) const;
  std::optional<deadline_queue::entry> next_waiting();
  std::optional<deadline_queue::entry> next_untold();
  void unschedule(uint64_t number);
  void note_overdue(timestamp now);
  void follow_clock(timestamp now);
  /// Whether `created_at` never falls in the order of the numbers.
  bool is_in_order() const { return rows_.empty() || *rows_.first() >= last_fall_; }
  /// The first number whose `created_at` is at least `at`, or, with `after`, greater than `at`;
  /// @pre `is_in_order()`.
  uint64_t first_created(timestamp at, bool after) const;
  index_answer newest(const index_query& q);
  index_answer most_relevant(const index_query& q);

  limits limits_;
  uint64_t base_ = 0; // number of slot 0
  block_table<observation_ptr> rows_;
  field_index fields_;
  subject_index subjects_;
  text_index text_;

  // The deadline of an observation is in deadlines_ until it has passed. Then the observation is in
  // overdue_, and its deadline in untold_ until `due` has returned it, after that in told_.
  deadline_queue deadlines_;
  deadline_queue untold_;
  slot_set overdue_;
  slot_set told_;
  timestamp looked_at_{};    // the last `now`
  timestamp last_created_{}; // of the last insertion
  uint64_t last_fall_ = 0;   // the last number whose `created_at` is before that of its predecessor
};

} // namespace scratchpage
