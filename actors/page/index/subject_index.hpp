#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "scratchpage/actors/page/index/slot_set.hpp"
#include "scratchpage/actors/page/index/split_table.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// Whether two contents say the same but for case and white space.
bool say_the_same(std::string_view a, std::string_view b);

/// The same for texts that say the same, and hardly ever for others.
size_t hash_of_saying(std::string_view text);

/// What a subject is made of: tags and a goal, or a key in the metadata.
enum class subject_kind : uint8_t { tags_and_goal, key };

/// Whether two observations are of the same type and have that kind of subject in common
/// (contract 3, "Contradictions").
bool same_subject(subject_kind kind, const observation& a, const observation& b);

/// What an observation is about, for a person; "" if it has no subject.
std::string readable_subject(const observation& x);

/// Observations by type and subject, so that those which contradict each other
/// are found without a search. Where all of a group say the same, as is common,
/// one look at the group tells.
class subject_index {
public:
  /// The observation in a slot that was added.
  using lookup = std::function<const observation&(uint32_t slot)>;

  void add(uint32_t slot, const observation& x, const lookup& at);
  void remove(uint32_t slot, const observation& x);
  void clear();

  /// Calls `f(kind, key, group)` for each subject of `x`, unless it is known that all of it say
  /// the same. The key stands for the subject, and now and then for another one, too; the group
  /// has the slots of all that have it.
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

  /// Hashes of the subjects that `x` has, by their kind; 0 where it has none.
  static keys keys_of(const observation& x);

  split_table<boost::unordered_flat_map<uint32_t, slot_set, key_hash>> groups_;
  boost::unordered_flat_set<uint32_t, key_hash> mixed_; // groups that do not all say the same
};

} // namespace scratchpage
