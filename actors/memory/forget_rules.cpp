#include "scratchpage/actors/memory/forget_rules.hpp"

#include <algorithm>
#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

namespace {

bool may_forget_all(const caller& by) {
  return !by.outside || is_owner(by);
}

bool is_remembered(const observation& x) {
  const auto* mark = x.context.if_contains(view(remembered_mark));
  return mark != nullptr && mark->is_string()
         && std::string_view{mark->get_string()} == remembered_by;
}

} // namespace

bool may_forget(const fact& x, const caller& by) {
  if (may_forget_all(by))
    return true;
  auto own = said_by(by);
  return !x.has_more_sources && !x.sources.empty()
         && std::ranges::all_of(x.sources, [&own](const auto& one) { return one == own; });
}

bool may_forget(const observation& x, const caller& by) {
  if (may_forget_all(by))
    return true;
  return x.source.kind == by.kind && x.source.name == by.name
         && x.source.relayed_by == by.relayed_by && x.type == "observation" && x.revision == 1
         && x.source.turn_id.empty() && !x.linked_to_goal && is_remembered(x);
}

caf::error check_mark(const observation_draft& x) {
  if (!x.context.contains(view(remembered_mark)))
    return {};
  return fail(errc::forbidden, "context." + std::string{remembered_mark},
    "expected none: only remember sets it");
}

} // namespace scratchpage
