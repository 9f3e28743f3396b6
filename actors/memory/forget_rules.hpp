#pragma once

#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// Who may forget what (contract 14, "Memory from outside"). The owner of the agent and the
/// ensemble forget everything. Anybody else forgets only what it remembered itself and what nothing
/// was built on, so that nobody hides what it has done:
///
/// - a fact of which all sources are its own words, not words that it relayed;
/// - an observation of its own that `remember` added outside of turns, that was not changed since,
///   and that is no evidence for a goal.
bool may_forget(const fact& x, const caller& by);
bool may_forget(const observation& x, const caller& by);

/// The context of observations that `remember` adds has this member.
inline constexpr std::string_view remembered_mark = "kept_by";
inline constexpr std::string_view remembered_by = "remember";

/// The error for a draft of somebody else that has the mark, since it allows to forget.
caf::error check_mark(const observation_draft& x);

/// What was expected, for an error.
inline constexpr std::string_view only_own =
  "expected something that only you remembered and that nothing was built on; the owner of the "
  "agent can forget the rest";

} // namespace scratchpage
