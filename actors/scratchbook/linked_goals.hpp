#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/time.hpp"

/// An item can be linked to a goal, or to an action of a goal. When one of the two is done, it
/// completes the other one, once.

namespace scratchpage {

/// Whether a change of an item from `before` to `now` completes its goal or action.
bool completes_link(const scratchbook_item& before, const scratchbook_item& now);

/// The ids of the goals that open items are linked to, sorted, each once.
std::vector<std::string> awaited_goals(const scratchbook& in);

/// Completes the open items whose goal or action is done according to `x`. Returns their ids.
std::vector<std::string> complete_linked(
  scratchbook& in, const goal_changed& x, int64_t now_ns, const scratchbook_limits& limits);

/// No error if `item` is linked to the goal as a whole, or to an action that the goal has. Error:
/// `invalid_request` about `action_id`.
caf::error check_link(const scratchbook_item& item, const goal& to);

/// Whether the goal or action of `item` can still be completed: the goal is not over, and the
/// action exists and is neither done nor cancelled.
bool is_to_complete(const scratchbook_item& item, const goal& to);

/// Whether completing the goal or action of `item` would give a person's confirmation: that the
/// goal may go on, or that an action is done which is a person's decision. An agent writes items
/// and links them, so a person who completes such an item has not confirmed anything. An item with
/// a title, body and link by a person completes that person's action.
bool is_confirmation(const scratchbook_item& item, const goal& to);

/// The requests of a thread's SCRATCHBOOK to the FRONTAL CORTEX about linked goals. `then` is
/// called once; without an answer it gets an error after `timeout`. Without a Frontal Cortex items
/// cannot be linked.
class linked_goals {
public:
  using pointer = scratchbook_actor::pointer;
  using on_answer = std::function<void(const caf::error&)>;

  linked_goals(pointer self, frontal_cortex_actor cortex, timespan timeout)
    : self_{self},
      cortex_{std::move(cortex)},
      timeout_{timeout} {}

  /// Whether there is a Frontal Cortex.
  explicit operator bool() const { return static_cast<bool>(cortex_); }

  /// Checks that the goal and the action of a new item exist. Errors: `invalid_request`, which
  /// names the field; `storage_unavailable` if the Frontal Cortex does not answer.
  void check(const scratchbook_item& item, const caller& by, const on_answer& then) const;

  /// Completes the goal or action of `item`. It is no error if that is over or does not exist any
  /// more. A goal or action that needs a person's confirmation is not completed when a person
  /// completes the item. Errors: `forbidden` if the action is the user's and `by` is not a user;
  /// `storage_unavailable` if the Frontal Cortex does not answer.
  void complete(const scratchbook_item& item, const caller& by, const on_answer& then) const;

  /// Reads the state of these goals. Goals that do not exist, or for which no answer comes in time,
  /// are left out.
  void look_up(const std::vector<std::string>& ids,
    const std::function<void(std::vector<goal_changed>)>& then) const;

private:
  pointer self_;
  frontal_cortex_actor cortex_;
  timespan timeout_;
};

} // namespace scratchpage
