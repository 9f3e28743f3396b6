#include "scratchpage/actors/cortex/goal_judge.hpp"

#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/messages/compat.hpp"

namespace scratchpage {

namespace {

/// What a goal has of the first of its observations that names it.
bool gains_name(const goal& now, const goal& next) {
  for (const auto* name : {"goal_id", "user_id"})
    if (text_at(now.context, name) != text_at(next.context, name))
      return true;
  return false;
}

proposal about(const caller& by, const goal& x, std::vector<std::string> tags) {
  return {by, "goal", x.goal_type, std::move(tags), x.context, false};
}

} // namespace

void goal_judge::judge(const caller& by, const goal& now, const goal& next,
  const std::vector<std::string>& tags, const heard& then) const {
  if (tags.empty() && !gains_name(now, next))
    return then(verdict{});
  ask(self_, consciousness_, patience_, about(by, next, tags))
    .then(
      [this, by, now, then](const verdict& said) {
        if (said.kind == verdict_kind::ask_user)
          ask_without(by, now, said, then);
        else
          then(said);
      },
      [then](const caf::error& err) { then(err); });
}

/// A mandate that wants the same without what comes is about the goal itself.
void goal_judge::ask_without(
  const caller& by, const goal& now, const verdict& said, const heard& then) const {
  ask(self_, consciousness_, patience_, about(by, now, {}))
    .then(
      [said, then](
        const verdict& before) { then(before.mandate_id == said.mandate_id ? verdict{} : said); },
      [then](const caf::error& err) { then(err); });
}

} // namespace scratchpage
