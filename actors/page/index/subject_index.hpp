#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "scratchpage/actors/page/index/deadline_poll.hpp"
#include "scratchpage/actors/page/index/slot_set.hpp"
#include "scratchpage/actors/page/index/split_table.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// Whether two contents are equal, ignoring case and white space.
bool say_the_same(std::string_view a, std::string_view b);

/// A hash of a content, ignoring case and white space.
size_t hash_of_saying(std::string_view text);

/// What makes a subject: tags and a goal, or a key in the metadata.
enum class subject_kind : uint8_t { tags_and_goal, key };

/// Whether two observations have the same type and the same subject of that kind (contract 3,
/// "Contradictions").
bool same_subject(subject_kind kind, const observation& a, const observation& b);

/// The subject of an observation as a text for people; "" if it has none.
std::string readable_subject(const observation& x);

/// Groups observations by type and subject, so that contradictions are found without a search. The
/// index knows the groups in which all observations say the same, which is the common case: in
/// these there are no contradictions.
class subject_index {
public:
  /// Returns the observation in a slot that was added.
  using lookup = std::function<const observation&(uint32_t slot)>;

  void add(uint32_t slot, const observation& x, const lookup& at);
  void remove(uint32_t slot, const observation& x);
  void clear();

  /// Calls `f(kind, key, group)` for each subject of `x` with a group that does not say the same
  /// throughout. The key is a hash of the subject, so another subject may have the same one. The
  /// group has the slots of all observations with that key.
  template <class F>
  void for_each_mixed_group(const observation& x, F&& f) const {
    auto keys = keys_of(x);
    for (auto kind : {subject_kind::tags_and_goal, subject_kind::key})
      if (auto key = keys[static_cast<size_t>(kind)]; key != 0 && mixed_.contains(key))
        f(kind, key, groups_.find(key)->second);
  }

private:
  struct key_hash {
    using is_avalanching = void;

    size_t operator()(uint32_t key) const { return key * 0x9E3779B97F4A7C15ull; }
  };

  using keys = std::array<uint32_t, 2>;

  /// The hashes of the subjects of `x`, by kind; 0 for a kind of which it has none.
  static keys keys_of(const observation& x);

  split_table<boost::unordered_flat_map<uint32_t, slot_set, key_hash>> groups_;
  boost::unordered_flat_set<uint32_t, key_hash> mixed_; // groups whose sayings differ
};

/// Finds the contradictions of the observations in one answer. The observations of a subject are
/// grouped by what they say when the first of them is asked for, so the work is linear in their
/// number, not quadratic. The index must not change in the meantime.
class contradiction_search {
public:
  /// Observations that have expired by `now` are ignored. `poll` counts each observation that is
  /// looked at; it may be null. All arguments outlive the search.
  contradiction_search(
    const subject_index& subjects, subject_index::lookup at, timestamp now, deadline_poll* poll)
    : subjects_{subjects},
      at_{std::move(at)},
      now_{now},
      poll_{poll} {}

  /// The slots of observations that have a subject in common with the one in `slot` but say
  /// something else, in ascending order. The result is not valid if the time of `poll` is over.
  std::vector<uint32_t> of(uint32_t slot);

private:
  /// The observations that say the same.
  struct saying {
    const observation* first;
    std::vector<uint32_t> slots; ///< ascending
  };

  /// The observations of one subject, by a hash of what they say.
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
