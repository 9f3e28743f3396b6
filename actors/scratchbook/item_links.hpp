#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/actors/scratchbook/scratchbook_config.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/scratchbook.hpp"

/// How items and what they are linked to, a goal or an action of it, are completed
/// with each other: the one that is done completes the other, once.

namespace scratchpage {

/// Whether the change from `before` to `now` is to complete what it is linked to.
bool completes_link(const scratchbook_item& before, const scratchbook_item& now);

/// The goals that open items are linked to, each once.
std::vector<std::string> awaited_goals(const scratchbook& in);

/// Completes the open items that `x` says are done elsewhere, and gives their ids.
std::vector<std::string> complete_linked(
  scratchbook& in, const goal_changed& x, int64_t now_ns, const scratchbook_limits& limits);

/// No error if there is what `item` is linked to: `goal`, and in it the action.
/// Error: `invalid_request` on `action_id`.
caf::error check_link(const scratchbook_item& item, const goal& to);

/// Whether completing `item` has something to complete there: the goal is not over,
/// nor is the action done, cancelled or gone.
bool is_to_complete(const scratchbook_item& item, const goal& to);

/// Whether it is a person's word that would be given with `item`: that the goal may go on, or that
/// an action is done on which a person decides. An agent words items and links them, so that a
/// person who ticks one off has given neither. An item that a person wrote and linked, title and
/// body, does their action with it.
bool is_confirmation(const scratchbook_item& item, const goal& to);

} // namespace scratchpage
