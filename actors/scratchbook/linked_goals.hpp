#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// What a thread's SCRATCHBOOK asks the FRONTAL CORTEX about the goals that its
/// items are linked to. `then` is called once, with an error within `patience` if
/// there is no answer. Without a Frontal Cortex nothing is linked to anything.
class linked_goals {
public:
  using pointer = scratchbook_actor::pointer;
  using heard = std::function<void(const caf::error&)>;

  linked_goals(pointer self, frontal_cortex_actor cortex, timespan patience)
    : self_{self},
      cortex_{std::move(cortex)},
      patience_{patience} {}

  /// Whether there are goals at all.
  explicit operator bool() const { return static_cast<bool>(cortex_); }

  /// Whether there is what a new item is linked to. Errors: `invalid_request`,
  /// which names the field; those of a Frontal Cortex that does not answer.
  void check(const scratchbook_item& item, const caller& by, const heard& then) const;

  /// Completes what `item` is linked to, unless that is over or gone already; it is
  /// no error then. What waits for a person's confirmation stays as it is when a person
  /// completes the item. Errors: `forbidden` if it is an action of the user's and `by`
  /// is not one; those of a Frontal Cortex that does not answer.
  void complete(const scratchbook_item& item, const caller& by, const heard& then) const;

  /// How these goals are; those that are gone, or not told of in time, are left out.
  void look_up(const std::vector<std::string>& ids,
    const std::function<void(std::vector<goal_changed>)>& then) const;

private:
  pointer self_;
  frontal_cortex_actor cortex_;
  timespan patience_;
};

} // namespace scratchpage
