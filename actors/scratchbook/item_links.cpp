#include "scratchpage/actors/scratchbook/item_links.hpp"

#include <algorithm>

#include "scratchpage/actors/policies/confirm_goal.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/scratchbook/item_writers.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

bool contains(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

const pending_action* find_action(const goal& in, const std::string& id) {
  const auto& all = in.pending_actions;
  auto i = std::find_if(all.begin(), all.end(), [&](const auto& x) { return x.action_id == id; });
  return i == all.end() ? nullptr : &*i;
}

/// Whether it is a person, by themself.
bool is_person(const std::string& writer) {
  constexpr std::string_view person = "user ";
  return writer.starts_with(person) && writer.find(", relayed by ") == std::string::npos;
}

/// Whether persons wrote its words, and chose what is completed with it. Tags, phase and status
/// are neither.
bool is_of_person(const scratchbook_item& x) {
  return is_person(writer_of_title(x)) && is_person(writer_of_link(x))
         && (x.body.empty() || is_person(writer_of_body(x)));
}

/// An action by itself: one that a completed goal left open was not done.
bool is_met(const scratchbook_item& item, const goal_changed& x) {
  if (item.goal_id != x.goal_id)
    return false;
  return item.action_id.empty() ? x.status == goal_status::completed
                                : contains(x.done, item.action_id);
}

} // namespace

bool completes_link(const scratchbook_item& before, const scratchbook_item& now) {
  return !now.goal_id.empty() && now.status == item_status::done
         && before.status != item_status::done;
}

std::vector<std::string> awaited_goals(const scratchbook& in) {
  std::vector<std::string> result;
  for (const auto& item : in.items)
    if (!item.goal_id.empty() && is_open(item.status))
      result.push_back(item.goal_id);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<std::string> complete_linked(
  scratchbook& in, const goal_changed& x, int64_t now_ns, const scratchbook_limits& limits) {
  std::vector<std::string> result;
  for (const auto& item : in.items)
    if (is_open(item.status) && is_met(item, x))
      result.push_back(item.id);
  std::erase_if(result, [&](const auto& id) { return !complete_item(in, id, now_ns, limits); });
  return result;
}

caf::error check_link(const scratchbook_item& item, const goal& to) {
  if (item.action_id.empty() || find_action(to, item.action_id) != nullptr)
    return {};
  return fail(errc::invalid_request, "action_id", "expected an action of the goal " + to.goal_id);
}

bool is_to_complete(const scratchbook_item& item, const goal& to) {
  if (is_over(to))
    return false;
  if (item.action_id.empty())
    return true;
  const auto* action = find_action(to, item.action_id);
  return action != nullptr && action->status != action_status::done
         && action->status != action_status::cancelled;
}

bool is_confirmation(const scratchbook_item& item, const goal& to) {
  if (item.action_id.empty())
    return waits_for_person(to);
  const auto* action = find_action(to, item.action_id);
  return action != nullptr
         && (action->action_type == confirm_goal || (is_persons(*action) && !is_of_person(item)));
}

} // namespace scratchpage
