#include "scratchpage/actors/scratchbook/linked_goals.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/compat.hpp"
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

/// Whether the writer is a person who wrote without a relay.
bool is_person(const std::string& writer) {
  constexpr std::string_view person = "user ";
  return writer.starts_with(person) && writer.find(", relayed by ") == std::string::npos;
}

/// Whether persons wrote the item's title and body, and chose its link. Tags, phase and status do
/// not count.
bool is_of_person(const scratchbook_item& x) {
  return is_person(writer_of_title(x)) && is_person(writer_of_link(x))
         && (x.body.empty() || is_person(writer_of_body(x)));
}

/// Whether the goal or action of `item` is done. An action that a completed goal has left open is
/// not done.
bool is_link_done(const scratchbook_item& item, const goal_changed& x) {
  if (item.goal_id != x.goal_id)
    return false;
  return item.action_id.empty() ? x.status == goal_status::completed
                                : contains(x.done, item.action_id);
}

/// The caller of requests to the Frontal Cortex. The scratchbook acts as a daemon, because a tool
/// may not change goals, but as a user for a person, because only a user completes an action of
/// the user.
caller acting_for(const caller& by) {
  auto result = as_daemon("scratchbooks", by.turn_id, by.cause);
  if (is_person(by))
    result.kind = source_kind::user;
  return result;
}

caf::error unavailable(const caf::error& err) {
  return fail(errc::storage_unavailable, "goal_id",
    "the goal of the item could not be read: " + describe(err));
}

/// Tells a refusal of the request from a Frontal Cortex that cannot answer.
caf::error refused_or_unavailable(const caf::error& err) {
  return code_of(err) == errc::forbidden ? err : unavailable(err);
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
    if (is_open(item.status) && is_link_done(item, x))
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

void linked_goals::check(
  const scratchbook_item& item, const caller& by, const on_answer& then) const {
  ask(self_, cortex_, timeout_, get_goal{acting_for(by), item.goal_id})
    .then([item, then](const goal& found) { then(check_link(item, found)); },
      [id = item.goal_id, then](const caf::error& err) {
        then(code_of(err) == errc::not_found ? fail(
               errc::invalid_request, "goal_id", "expected a goal of this agent, got '" + id + "'")
                                             : unavailable(err));
      });
}

void linked_goals::complete(
  const scratchbook_item& item, const caller& by, const on_answer& then) const {
  auto who = acting_for(by);
  auto done = [then](const goal&) { then({}); };
  auto refused = [then](const caf::error& err) { then(refused_or_unavailable(err)); };
  auto go_on = [this, item, who, then, done, refused](const goal& found) {
    if (!is_to_complete(item, found) || (is_person(who) && is_confirmation(item, found)))
      return then({});
    if (!item.action_id.empty()) {
      ask(self_, cortex_, timeout_, complete_action{who, item.goal_id, item.action_id})
        .then(done, refused);
      return;
    }
    update_goal request{.by = who, .goal_id = item.goal_id};
    request.status = goal_status::completed;
    request.progress = 1;
    ask(self_, cortex_, timeout_, std::move(request)).then(done, refused);
  };
  ask(self_, cortex_, timeout_, get_goal{who, item.goal_id})
    .then(go_on, [then, refused](const caf::error& err) {
      if (code_of(err) == errc::not_found) // the goal is over and was deleted
        then({});
      else
        refused(err);
    });
}

void linked_goals::look_up(const std::vector<std::string>& ids,
  const std::function<void(std::vector<goal_changed>)>& then) const {
  if (!cortex_ || ids.empty())
    return then({});
  struct gathering {
    std::vector<goal_changed> found;
    size_t missing = 0;
  };
  auto all = std::make_shared<gathering>();
  all->missing = ids.size();
  auto one_less = [all, then] {
    if (--all->missing == 0)
      then(std::move(all->found));
  };
  for (const auto& id : ids)
    ask(self_, cortex_, timeout_, get_goal{as_daemon("scratchbooks"), id})
      .then(
        [all, one_less](const goal& found) {
          all->found.push_back(change_of(found));
          one_less();
        },
        [one_less](const caf::error&) { one_less(); });
}

} // namespace scratchpage
