#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/index/deadline_poll.hpp"
#include "scratchpage/actors/page/index/subject_index.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// Finds what contradicts the observations of one answer. All that are about a subject are sorted
/// out by what they say once, when the first of them is asked for, so that the work goes with how
/// many there are and not with its square. Nothing may change meanwhile.
class contradiction_search {
public:
  /// What has expired by `now` contradicts nothing. `poll` may be null, and counts each
  /// observation that is looked at; all must outlive the search.
  contradiction_search(
    const subject_index& subjects, subject_index::lookup at, timestamp now, deadline_poll* poll)
    : subjects_{subjects},
      at_{std::move(at)},
      now_{now},
      poll_{poll} {}

  /// The slots of those that say something else than what is in `slot` of a subject of it,
  /// ascending. Means nothing once the time is over.
  std::vector<uint32_t> of(uint32_t slot);

private:
  /// All that say the same, ascending, the first of them at hand.
  struct saying {
    const observation* first;
    std::vector<uint32_t> slots;
  };

  /// All that are about one subject, by hashes of what they say.
  struct subject {
    const observation* first;
    std::unordered_multimap<size_t, saying> sayings;
  };

  using name = std::pair<subject_kind, uint32_t>;

  std::vector<subject>& about(subject_kind kind, uint32_t key, const slot_set& group);
  void sort_in(std::vector<subject>& to, subject_kind kind, uint32_t slot);
  void sort_in(subject& to, const observation& x, uint32_t slot);
  static void add_others(const subject& about, uint32_t slot, std::vector<uint32_t>& to);
  bool is_over() { return poll_ != nullptr && poll_->step(); }

  const subject_index& subjects_;
  subject_index::lookup at_;
  timestamp now_;
  deadline_poll* poll_;
  std::map<name, std::vector<subject>> known_;
};

} // namespace scratchpage
