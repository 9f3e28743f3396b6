#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/actors/page/index/block_table.hpp"
#include "scratchpage/actors/page/index/contradiction_search.hpp"
#include "scratchpage/actors/page/index/deadline_poll.hpp"
#include "scratchpage/actors/page/index/deadline_queue.hpp"
#include "scratchpage/actors/page/index/field_index.hpp"
#include "scratchpage/actors/page/index/slot_set.hpp"
#include "scratchpage/actors/page/index/subject_index.hpp"
#include "scratchpage/actors/page/index/text_index.hpp"
#include "scratchpage/actors/page/index/type_weights.hpp"
#include "scratchpage/messages/query.hpp"

namespace scratchpage {

/// A question to the index. Owns nothing: what it points at must outlive the
/// call.
struct index_query {
  const observation_filter* filter = nullptr; ///< required
  std::string_view text = {};                 ///< "": newest first
  uint32_t limit = 10;                        ///< of `index_answer::numbers`
  /// Newest first only: no number from here on, 0 for from the newest. The
  /// total counts all matches all the same.
  uint64_t before = 0;
  timestamp now = {};                     ///< what has expired by then is not there
  std::function<bool()> out_of_time = {}; ///< polled every 1024 steps or so; empty: never
};

/// The first matches from a number on.
struct part_of_matches {
  std::vector<uint64_t> numbers; ///< oldest first
  uint64_t next = 0;             ///< the first that was not looked at
};

struct index_answer {
  std::vector<uint64_t> numbers; ///< at most `limit`, in order
  uint64_t total = 0;            ///< all matches; of those looked at, if `partial`
  bool more = false;             ///< whether there are matches after `numbers`
  bool partial = false;          ///< ran out of time
};

/// The observations of a page, found by number, by every field of a filter, by
/// text, by deadline and by subject (contract 2, 3). Numbers are the n of the
/// ids: they grow from insert to insert, so that their order is that of
/// creation. A clock that is set back may let `created_at` fall along it, and
/// `now` go back.
class observation_index {
public:
  struct limits {
    /// Slots before rows are numbered anew. Live numbers must span less.
    uint32_t slots = UINT32_MAX - 1024;
  };

  explicit observation_index(const text_config& text = {})
    : observation_index{text, limits{}} {}
  observation_index(const text_config& text, limits bounds)
    : limits_{bounds},
      text_{text} {}
  observation_index(const observation_index&) = delete;
  observation_index& operator=(const observation_index&) = delete;

  /// @pre `number` is larger than all before; `x` is not null.
  void insert(uint64_t number, observation_ptr x);
  /// A new revision of an observation that is there. Its deadline counts anew.
  void replace(uint64_t number, observation_ptr x);
  /// What was there, or null.
  observation_ptr erase(uint64_t number);
  /// Null if there is none. Does not look at expiry.
  observation_ptr find(uint64_t number) const;

  size_t size() const { return rows_.size(); }
  /// After the largest that is there; 0 if none is.
  uint64_t end() const { return rows_.empty() ? 0 : *rows_.last() + 1; }
  /// Active or pending review, expired ones included until they are erased.
  size_t live() const { return fields_.live(); }

  /// Newest first, or, with a text, by relevance and newest first among equals.
  /// A text only ranks if the filter asks for anything, else it selects.
  index_answer query(const index_query& q);

  /// The first `limit` matches from a number on, in time that goes with what is looked at: for
  /// who reads all of them, a part at a time. Ends before that when `out_of_time` says so, but
  /// not without having looked at some.
  part_of_matches matches_from(uint64_t from, const observation_filter& filter, timestamp now,
    size_t limit, const std::function<bool()>& out_of_time = {});

  /// All matches of a query with a text, in order. Out of time, what one answer can show is in
  /// order and the rest is not.
  std::vector<uint64_t> ranked(const index_query& q, bool& partial, uint64_t& total);

  /// Takes up to `at_most` new texts apart ahead of the next text query, which
  /// else does it. False if any are left.
  bool catch_up(size_t at_most);

  /// About what the index of texts takes.
  uint64_t text_bytes() const { return text_.bytes(); }

  /// It grows no further than that: what has no room is not found by a text.
  void keep_texts_within(uint64_t most_bytes) { text_.keep_within(most_bytes); }

  /// The earliest end of an observation that `due` has not told yet.
  std::optional<timestamp> next_deadline();

  /// Whose end has come, earliest first, ties by number. They stay until erased
  /// but are told once only, unless replaced.
  std::vector<uint64_t> due(timestamp now, size_t at_most);

  /// Live and not expired: by the type's weight, then confidence, both highest
  /// first, then newest first. Out of time, what one answer can show is in order and the rest
  /// is not.
  std::vector<uint64_t> by_priority(timestamp now, const type_weights& weights,
    const std::function<bool()>& out_of_time = {}) const;

  /// How many these are.
  uint64_t count_active(timestamp now);

  /// What contradicts an observation: live, not expired, of the same type and
  /// subject, but says something else. Ascending. Empty if the observation
  /// itself is not live.
  std::vector<uint64_t> contradicting(uint64_t number, timestamp now) const;

  /// The same for who asks about many in a row. Means nothing once `poll` says that the time is
  /// over.
  contradiction_search search_contradictions(timestamp now, deadline_poll* poll) const;
  std::vector<uint64_t> contradicting(
    uint64_t number, timestamp now, contradiction_search& search) const;

  /// What an observation is about, readable; "" if it has no subject.
  std::string subject_of(uint64_t number) const;

private:
  class scan;
  struct ranking;

  uint32_t slot_of(uint64_t number) const { return static_cast<uint32_t>(number - base_); }
  uint64_t number_of(uint32_t slot) const { return base_ + slot; }
  const observation& at(uint32_t slot) const { return **rows_.find(number_of(slot)); }

  void number_anew();
  void add_to_indexes(uint64_t number, const observation& x);
  void add_subject(uint32_t slot, const observation& x);
  bool is_waiting(const deadline_queue::entry& x) const;
  bool is_untold(const deadline_queue::entry& x) const;
  std::optional<deadline_queue::entry> next_waiting();
  std::optional<deadline_queue::entry> next_untold();
  void unschedule(uint64_t number);
  void note_overdue(timestamp now);
  void follow_clock(timestamp now);
  /// Whether `created_at` never falls along what is there.
  bool is_in_order() const { return rows_.empty() || *rows_.first() >= last_fall_; }
  /// The first number whose `created_at` is not before `at`, or is after it, if they are in
  /// order.
  uint64_t first_created(timestamp at, bool after) const;
  ranking rank(const index_query& q, size_t fill);

  limits limits_;
  uint64_t base_ = 0; // number of slot 0
  block_table<observation_ptr> rows_;
  field_index fields_;
  subject_index subjects_;
  text_index text_;

  // An observation waits for its end in deadlines_; once overdue it lies in
  // overdue_, also in the queue of those to be told until `due` has told it.
  deadline_queue deadlines_;
  deadline_queue untold_;
  slot_set overdue_;
  slot_set told_;
  timestamp looked_at_{};    // the last `now`
  timestamp last_created_{}; // of the last insert
  uint64_t last_fall_ = 0;   // the last number that was created before the one before it
};

} // namespace scratchpage
