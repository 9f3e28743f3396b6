#pragma once

#include <cstddef>

#include <caf/error.hpp>

#include "scratchpage/messages/goal.hpp"

namespace scratchpage {

/// What a goal and the operations on it may hold.
struct goal_limits {
  static constexpr size_t id_bytes = 1'024; ///< of the id or the type of a goal or an action
  static constexpr size_t title_bytes = 1'024;
  static constexpr size_t description_bytes = 8'192; ///< of a goal, and of each of its actions
  static constexpr size_t actions = 256;
  static constexpr size_t context_bytes = size_t{64} * 1024; ///< of a new goal's, as JSON
  static constexpr size_t observations = 1'000;              ///< that are linked to a goal
  static constexpr size_t evidence_bytes = 1'000; ///< of the content of each, as far as it is kept
};

/// No error if the request keeps the limits; else `invalid_request` that names the member. They
/// take time with what is allowed, not with what is given.
caf::error check_limits(const create_goal& x);
caf::error check_limits(const update_goal& x);
caf::error check_limits(const get_goal& x);
caf::error check_limits(const list_goals& x);
caf::error check_limits(const complete_action& x);
caf::error check_limits(const refuse_action& x);

} // namespace scratchpage
