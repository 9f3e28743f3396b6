#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "scratchpage/actors/page/index/slot_set.hpp"
#include "scratchpage/actors/page/index/split_table.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

/// The threads of observations, in which they have neighbours. An observation belongs to the thread
/// that its `context.thread_id` names; otherwise to the thread of its turn, if another observation
/// of the turn names one; and otherwise to its turn. An observation with none of these is alone.
class thread_index {
public:
  /// The thread that an observation names in its context; "" if it names none. A longer name than
  /// the id of a thread can be is none.
  static std::string_view named_by(const observation& x);

  void add(uint32_t slot, const observation& x);
  void remove(uint32_t slot, const observation& x);
  void clear();

  /// The slots of the thread of an observation, which was added; null if it belongs to nothing.
  const slot_set* thread_of(const observation& x) const;

private:
  using groups =
    split_table<boost::unordered_flat_map<std::string, slot_set, text_hash, text_equal>>;

  /// A turn with an observation that names a thread.
  struct turn {
    std::string thread;
    uint32_t observations = 0; ///< of the turn
  };

  using turns = split_table<boost::unordered_flat_map<std::string, turn, text_hash, text_equal>>;

  std::string name_of(const observation& x) const;
  void learn_thread(const std::string& turn_id, std::string_view thread);

  groups groups_;
  turns turns_;
};

} // namespace scratchpage
