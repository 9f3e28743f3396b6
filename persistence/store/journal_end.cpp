#include "scratchpage/persistence/store/journal_end.hpp"

#include <algorithm>
#include <string>

#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

caf::error not_there(uint64_t last, uint64_t acknowledged) {
  return needs_repair(
    "the changes " + std::to_string(last + 1) + " to " + std::to_string(acknowledged)
    + " were acknowledged and are not there: the journal ends at " + std::to_string(last));
}

caf::error beyond(uint64_t last, uint64_t acknowledged) {
  return needs_repair("the journal or its snapshot goes on to " + std::to_string(last)
                      + ", but the agent's row says that " + std::to_string(acknowledged)
                      + " was the last change");
}

} // namespace

caf::error check_end(store& in, const ownership& by, uint64_t last, uint64_t acknowledged) {
  if (last == acknowledged)
    return {};
  auto is_owner = in.holds(by);
  if (!is_owner)
    return is_owner.error();
  if (!*is_owner) // who may have added to it meanwhile
    return not_the_owner(by.epoch);
  return last < acknowledged ? not_there(last, acknowledged) : beyond(last, acknowledged);
}

caf::error check_reach(store& in, uint64_t agent, uint64_t last, uint64_t acknowledged) {
  if (last >= acknowledged)
    return {};
  auto now = in.end_of_journal(agent);
  if (!now)
    return now.error();
  auto wanted = std::min(*now, acknowledged);
  return last < wanted ? not_there(last, wanted) : caf::error{};
}

} // namespace scratchpage
