#pragma once

#include <string>

#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/messages/goal.hpp"

namespace scratchpage {

/// The program from outside for which what its caller makes counts; "" if it is none: a person,
/// the ensemble, or the program that embeds it.
inline std::string counts_for(const caller& x) {
  if (!x.outside || is_person(x))
    return {};
  if (x.claimed)
    return principal_of(x);
  return x.relayed_by.empty() ? said_by(x) : "daemon " + x.relayed_by.text();
}

/// The program from outside that an open goal counts for.
inline std::string counts_for(const goal& x) {
  return text_at(x.context, "counts_for");
}

/// From now on the goal counts for that program, or for none.
inline void count_for(goal& x, const std::string& program) {
  if (program.empty())
    x.context.erase("counts_for");
  else
    x.context["counts_for"] = program;
}

} // namespace scratchpage
