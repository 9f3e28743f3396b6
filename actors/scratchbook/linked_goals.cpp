#include "scratchpage/actors/scratchbook/linked_goals.hpp"

#include <memory>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/scratchbook/item_links.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

/// The scratchbook acts on its own account, for a person or an agent: a tool may not
/// change goals, and what is the user's to do only a user completes.
caller acting_for(const caller& by) {
  auto result = as_daemon("scratchbooks", by.turn_id, by.cause);
  if (is_person(by))
    result.kind = source_kind::user;
  return result;
}

caf::error unavailable(const caf::error& err) {
  return fail(errc::storage_unavailable, "goal_id",
    "the goal that it is linked to cannot be asked for: " + describe(err));
}

/// What is wrong about the item, as against a Frontal Cortex that cannot answer.
caf::error refusal(const caf::error& err) {
  return code_of(err) == errc::forbidden ? err : unavailable(err);
}

} // namespace

void linked_goals::check(const scratchbook_item& item, const caller& by, const heard& then) const {
  ask(self_, cortex_, patience_, get_goal{acting_for(by), item.goal_id})
    .then([item, then](const goal& found) { then(check_link(item, found)); },
      [id = item.goal_id, then](const caf::error& err) {
        then(code_of(err) == errc::not_found ? fail(
               errc::invalid_request, "goal_id", "expected a goal of this agent, got '" + id + "'")
                                             : unavailable(err));
      });
}

void linked_goals::complete(
  const scratchbook_item& item, const caller& by, const heard& then) const {
  auto who = acting_for(by);
  auto done = [then](const goal&) { then({}); };
  auto refused = [then](const caf::error& err) { then(refusal(err)); };
  auto go_on = [this, item, who, then, done, refused](const goal& found) {
    if (!is_to_complete(item, found) || (is_person(who) && is_confirmation(item, found)))
      return then({});
    if (!item.action_id.empty()) {
      ask(self_, cortex_, patience_, complete_action{who, item.goal_id, item.action_id})
        .then(done, refused);
      return;
    }
    update_goal request{.by = who, .goal_id = item.goal_id};
    request.status = goal_status::completed;
    request.progress = 1;
    ask(self_, cortex_, patience_, std::move(request)).then(done, refused);
  };
  ask(self_, cortex_, patience_, get_goal{who, item.goal_id})
    .then(go_on, [then, refused](const caf::error& err) {
      if (code_of(err) == errc::not_found) // it is long over, and forgotten
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
    ask(self_, cortex_, patience_, get_goal{as_daemon("scratchbooks"), id})
      .then(
        [all, one_less](const goal& found) {
          all->found.push_back(change_of(found));
          one_less();
        },
        [one_less](const caf::error&) { one_less(); });
}

} // namespace scratchpage
