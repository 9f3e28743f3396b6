#include "scratchpage/actors/cortex/frontal_cortex.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/cortex/goal_book.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/persistence/privacy/purger.hpp"

namespace scratchpage {

namespace {

std::shared_ptr<goal_store> store_of(const frontal_cortex_setup& setup) {
  return setup.store ? setup.store : std::make_shared<null_goal_store>();
}

/// Resets the members that a caller cannot set: status, progress and evidence.
void begin(goal& x) {
  x.status = goal_status::pending;
  x.progress = 0;
  x.observation_ids.clear();
  x.observation_id.clear();
  x.evidence.clear();
}

/// Whether both are equal in the members that an update may change.
bool is_same(const goal& a, const goal& b) {
  auto changeable = [](const goal& x) {
    return std::tie(x.status, x.priority, x.title, x.description, x.progress);
  };
  return changeable(a) == changeable(b);
}

template <class T>
bool keeps(const std::optional<T>& wanted, const T& now) {
  return !wanted || *wanted == now;
}

caf::error until_decided(std::string_view field, std::string_view expected) {
  return fail(errc::forbidden, field,
    "expected " + std::string{expected} + " until a person has decided on their action");
}

/// An outside agent may not change what a person is being asked about, nor move a goal that waits
/// for a person.
caf::error check_outside_agent_may(const update_goal& change, const goal& of) {
  if (asks_person(of) && !keeps(change.title, of.title))
    return until_decided("title", "the goal to keep its title");
  if (asks_person(of) && !keeps(change.description, of.description))
    return until_decided("description", "the goal to keep its description");
  if (waits_for_person(of) && !keeps(change.priority, of.priority))
    return until_decided("priority", "the goal to keep its priority");
  if (waits_for_person(of) && !keeps(change.progress, of.progress))
    return until_decided("progress", "the goal to keep its progress");
  return {};
}

/// Whether the caller may make this change. Callers that may change no goal at all were refused
/// before.
caf::error check_may(const update_goal& change, const goal& of) {
  if (is_person(change.by))
    return {};
  if (change.status && !agent_may_set(of, *change.status))
    return until_decided("status", "the goal to stay as it is, blocked or abandoned,");
  return change.by.outside ? check_outside_agent_may(change, of) : caf::error{};
}

/// Puts the goal into the list in its present form, once.
void put(goal_list& to, const goal& x) {
  auto i = std::find_if(
    to.goals.begin(), to.goals.end(), [&](const goal& one) { return one.goal_id == x.goal_id; });
  if (i == to.goals.end())
    to.goals.push_back(x);
  else
    *i = x;
}

bool has_action(const goal& x, const std::string& action_id, action_status in) {
  return std::any_of(
    x.pending_actions.begin(), x.pending_actions.end(), [&](const pending_action& action) {
      return action.action_id == action_id && action.status == in;
    });
}

} // namespace

frontal_cortex_state::frontal_cortex_state(handle::pointer self, const agent_context& agent,
  frontal_cortex_setup setup, scratch_page_actor page, consciousness_actor consciousness)
  : self_{self},
    kept_{agent.kept},
    page_{std::move(page)},
    consciousness_{std::move(consciousness)},
    timeout_{from_milliseconds(setup.limits.request_ms)},
    trace_{agent, "frontal_cortex", static_cast<uint32_t>(component::frontal_cortex)},
    work_{agent.work()},
    outside_{self_, agent.clock,
      [this](
        const caller& by, const caf::error& err) { trace_.write_error("list_goals", by, err); },
      work_},
    rules_{setup.promotion},
    progress_{setup.progress, setup.answers},
    masker_{std::move(setup.masker)},
    max_watchers_{setup.limits.max_watchers},
    goals_{agent, store_of(setup),
      {setup.limits.max_goals, setup.limits.max_goals_per_source, setup.limits.max_bytes,
        setup.limits.max_bytes_per_source},
      rules_, trace_,
      [this](const caller& by, const goal& now, bool ends) { announce(by, now, ends); }},
    groups_{rules_, goals_, setup.limits.max_waiting},
    settlement_{goals_, progress_, setup.limits.max_waiting},
    promotion_{{self_, page_, consciousness_, timeout_, work_}, rules_, goals_, groups_,
      settlement_, trace_},
    wishes_{goals_, *agent.clock, setup.limits.stale_days} {
  auto before = take_kept<kept_thoughts>(agent.kept);
  goals_.restore(std::move(setup.goals), before.has_value());
  if (before)
    restore(std::move(*before));
}

frontal_cortex_state::~frontal_cortex_state() {
  if (!kept_ || kept_->is_dropped())
    return;
  kept_thoughts now{goals_.last_number(), settlement_.take_unsettled(), wishes_.take_last_words(),
    groups_.take_waiting()};
  auto bytes = now.bytes();
  kept_->put(std::move(now), bytes);
}

void frontal_cortex_state::restore(kept_thoughts x) {
  goals_.go_on_after(x.last_number);
  settlement_.restore(std::move(x.unsettled));
  wishes_.restore(std::move(x.last_words));
  groups_.restore(std::move(x.groups));
}

uint64_t frontal_cortex_state::kept_thoughts::bytes() const {
  return sizeof(*this) + unsettled.bytes() + last_words.bytes() + groups.bytes();
}

frontal_cortex_state::handle::behavior_type frontal_cortex_state::make_behavior() {
  tell(self_, page_, take_candidates{as_daemon("frontal_cortex"), handle{self_}});
  subscribe order{as_daemon("frontal_cortex"), subscriber_actor{handle{self_}}, {}, {}, true};
  order.filter.status = {status::resolved};
  ask(self_, page_, timeout_, std::move(order))
    .then([](uint64_t) {},
      [this](const caf::error& err) {
        trace_.write_error("subscribe", as_daemon("frontal_cortex"), err);
      });
  return {
    [this](const event_batch& x) { on_events(x); },
    [this](const promotion_batch& x) { return promotion_.promote(x); },
    [this](create_goal& x) { return create(x); },
    [this](const get_goal& x) -> caf::result<goal> { return get(x); },
    [this](const list_goals& x) {
      return outside_.answer<goal_list>(x.by, timeout_, [this, x] { return list(x); });
    },
    [this](update_goal& x) -> caf::result<goal> { return update(x); },
    [this](const complete_action& x) -> caf::result<goal> { return complete(x); },
    [this](const refuse_action& x) -> caf::result<goal> { return refuse(x); },
    [this](const watch_goals& x) { return add_watcher(x); },
    [this](const settle_goals& x) -> caf::result<goal_list> { return settle(x); },
    [this](const purge_observations& x) -> caf::result<void> {
      if (auto err = purge(x))
        return err;
      return caf::unit;
    },
  };
}

/// Tells the watchers, and the page if the goal has ended.
void frontal_cortex_state::announce(const caller& by, const goal& now, bool ends) {
  if (ends)
    tell(self_, page_, goal_closed{by, now.goal_id});
  for (const auto& x : watchers_)
    tell(self_, x, change_of(now));
}

caf::result<void> frontal_cortex_state::add_watcher(const watch_goals& request) {
  auto refused = [&](caf::error err) {
    trace_.write_error("watch_goals", request.by, err);
    return err;
  };
  if (request.by.role == role::tool)
    return refused(fail(errc::forbidden, "by.role", "a tool may not watch goals"));
  if (!request.watcher)
    return refused(fail(errc::invalid_request, "watcher", "expected an actor"));
  if (std::find(watchers_.begin(), watchers_.end(), request.watcher) != watchers_.end())
    return caf::unit;
  if (watchers_.size() >= max_watchers_)
    return refused(
      fail(errc::overloaded, "watcher", "at most " + std::to_string(max_watchers_) + " watchers"));
  watchers_.push_back(request.watcher);
  watch(self_, request.watcher, [this](const caf::actor_addr& down) {
    std::erase_if(watchers_, [&](const auto& x) { return x == down; });
  });
  trace_.write("watch_goals", request.by);
  return caf::unit;
}

void frontal_cortex_state::on_events(const event_batch& batch) {
  for (const auto& event : batch.events) {
    if (!event.observation)
      continue;
    if (event.observation->status == status::resolved)
      settlement_.resolved(event.observation);
    else // it has left the page
      groups_.forget(event.observation->observation_id);
  }
}

/// Whether the caller may make the goal, and whether there is room for it.
caf::error frontal_cortex_state::check(const create_goal& request) {
  const auto& draft = request.draft;
  if (request.by.role == role::tool)
    return fail(errc::forbidden, "by.role", "a tool may not make goals");
  if (draft.goal_type.empty())
    return fail(errc::invalid_request, "draft.goal_type", "expected a goal's type");
  if (goals_.find(draft.goal_id) != nullptr)
    return fail(errc::conflict, "draft.goal_id", "there is a goal '" + draft.goal_id + "' already");
  return goals_.check_room(counts_for(request.by));
}

caf::result<goal> frontal_cortex_state::create(create_goal& request) {
  if (auto err = check_limits(request)) {
    trace_.write_error("create_goal", request.by, err);
    return err;
  }
  if (masker_)
    masker_->mask(request.draft);
  if (auto err = check(request)) {
    trace_.write_error("create_goal", request.by, err, {{"goal_id", request.draft.goal_id}});
    return err;
  }
  auto draft = request.draft;
  begin(draft);
  goals_.give_id(draft); // its actions get theirs later: the verdict may add one
  auto answer = self_->make_response_promise<goal>();
  proposal about_to{request.by, "goal", draft.goal_type, rules_.tags_of(draft), draft.context,
    is_person(request.by)};
  ask(self_, consciousness_, timeout_, std::move(about_to))
    .then([this, answer, draft, by = request.by, works = work_.begin()](
            const verdict& said) mutable { answer.deliver(keep(std::move(draft), by, said)); },
      [this, answer, by = request.by](const caf::error& err) mutable {
        trace_.write_error("create_goal", by, err);
        answer.deliver(err);
      });
  return answer;
}

/// Does what the verdict says: stores the goal, stores it as blocked, or refuses it.
caf::expected<goal> frontal_cortex_state::keep(goal draft, const caller& by, const verdict& said) {
  if (said.kind == verdict_kind::deny) {
    auto err = fail(errc::forbidden, "draft.goal_type",
      "mandate " + said.mandate_id + " forbids it: " + said.reason);
    trace_.write_error("create_goal", by, err, {{"goal_id", draft.goal_id}});
    return err;
  }
  if (said.kind == verdict_kind::ask_user)
    await_confirmation(draft, said.reason);
  count_for(draft, counts_for(by));
  goals_.prepare(draft);
  auto id = draft.goal_id;
  if (auto err =
        goals_.commit(std::move(draft), by, "create_goal", {{"note", "Goal created on request"}}))
    return err;
  return *goals_.find(id);
}

caf::expected<goal> frontal_cortex_state::get(const get_goal& request) {
  if (auto err = check_limits(request)) {
    trace_.write_error("get_goal", request.by, err);
    return err;
  }
  const auto* found = goals_.find(request.goal_id);
  if (found == nullptr) {
    auto err = fail(errc::not_found, "goal_id", "no such goal: '" + request.goal_id + "'");
    trace_.write_error("get_goal", request.by, err);
    return err;
  }
  trace_.write("get_goal", request.by, {{"goal_id", request.goal_id}});
  return *found;
}

caf::expected<goal_list> frontal_cortex_state::list(const list_goals& request) {
  auto err = check_limits(request);
  auto result = err ? caf::expected<goal_list>{std::move(err)} : page_of(goals_.all(), request);
  if (result)
    trace_.write("list_goals", request.by, {{"found", result->goals.size()}});
  else
    trace_.write_error("list_goals", request.by, result.error());
  return result;
}

caf::expected<goal> frontal_cortex_state::update(update_goal& request) {
  if (auto err = check_limits(request)) {
    trace_.write_error("update_goal", request.by, err);
    return err;
  }
  if (masker_)
    masker_->mask(request);
  auto refused = [&](caf::error err) {
    trace_.write_error("update_goal", request.by, err, {{"goal_id", request.goal_id}});
    return err;
  };
  if (request.by.role == role::tool)
    return refused(fail(errc::forbidden, "by.role", "a tool may not change goals"));
  const auto* existing = goals_.find(request.goal_id);
  if (existing == nullptr)
    return refused(fail(errc::not_found, "goal_id", "no such goal: '" + request.goal_id + "'"));
  if (request.expected_revision && *request.expected_revision != existing->revision)
    return refused(fail(errc::conflict, "expected_revision",
      "expected " + std::to_string(existing->revision) + ", the current revision"));
  if (request.progress && (*request.progress > 1 || *request.progress < existing->progress))
    return refused(fail(errc::invalid_request, "progress",
      "expected a number from " + to_text(json::value(existing->progress))
        + ", the progress so far, to 1"));
  if (auto err = check_may(request, *existing))
    return refused(std::move(err));
  auto next = *existing;
  next.status = request.status.value_or(next.status);
  if (is_over(*existing) && !is_over(next)) {
    if (auto err = goals_.check_share(counts_for(request.by)))
      return refused(std::move(err));
    count_for(next, counts_for(request.by)); // it is charged to whoever reopens it
  }
  next.priority = request.priority.value_or(next.priority);
  next.title = request.title.value_or(next.title);
  next.description = request.description.value_or(next.description);
  next.progress = request.progress.value_or(next.progress);
  if (is_same(next, *existing))
    return *existing;
  if (auto err = goals_.commit(std::move(next), request.by, "update_goal"))
    return err;
  return *existing;
}

caf::expected<goal> frontal_cortex_state::complete(const complete_action& request) {
  return decide(request, "complete_action", action_status::done, &goal_progress::complete);
}

caf::expected<goal> frontal_cortex_state::refuse(const refuse_action& request) {
  return decide(request, "refuse_action", action_status::cancelled, &goal_progress::cancel);
}

/// Completes or cancels an action, as `decision` does, after which its status is `wanted`. A goal
/// whose action has that status already is returned as it is.
template <class Request, class Decision>
caf::expected<goal> frontal_cortex_state::decide(
  const Request& request, std::string_view operation, action_status wanted, Decision decision) {
  if (auto err = check_limits(request)) {
    trace_.write_error(operation, request.by, err);
    return err;
  }
  auto refused = [&](caf::error err) {
    trace_.write_error(operation, request.by, err, {{"action_id", request.action_id}});
    return err;
  };
  if (request.by.role == role::tool)
    return refused(fail(errc::forbidden, "by.role", "a tool may not decide on actions"));
  const auto* existing = goals_.find(request.goal_id);
  if (existing == nullptr)
    return refused(fail(errc::not_found, "goal_id", "no such goal: '" + request.goal_id + "'"));
  auto next = *existing;
  auto who = is_person(request.by) ? assignee::user : assignee::agent;
  if (auto err = (progress_.*decision)(next, request.action_id, who))
    return refused(std::move(err));
  if (has_action(*existing, request.action_id, wanted))
    return *existing;
  if (auto err =
        goals_.commit(std::move(next), request.by, operation, {{"action_id", request.action_id}}))
    return err;
  return *existing;
}

/// Has the page link the input that a goal from a wish comes from. An input that has left the page
/// stays evidence without a link.
void frontal_cortex_state::link(const caller& by, const goal& begun) {
  ask(self_, page_, timeout_, link_observations{by, begun.goal_id, begun.observation_ids})
    .then([works = work_.begin()](const linked_observations&) {},
      [this, by](const caf::error& err) { trace_.write_error("link_observations", by, err); });
}

caf::expected<goal_list> frontal_cortex_state::settle(const settle_goals& request) {
  if (request.by.role == role::tool) {
    auto err = fail(errc::forbidden, "by.role", "a tool may not settle goals");
    trace_.write_error("settle_goals", request.by, err);
    return err;
  }
  auto result = settlement_.settle(request);
  for (const auto& id : wishes_.settle(request))
    if (const auto* moved = goals_.find(id))
      put(result, *moved);
  for (const auto& id : wishes_.take_begun())
    if (const auto* begun = goals_.find(id))
      link(request.by, *begun);
  trace_.write("settle_goals", request.by, {{"goals", result.goals.size()}});
  return result;
}

/// Removes from all goals what the purged observations said.
caf::error frontal_cortex_state::purge(const purge_observations& request) {
  if (request.by.role == role::tool) {
    auto err = fail(errc::forbidden, "by.role", "a tool may not purge observations");
    trace_.write_error("purge_observations", request.by, err);
    return err;
  }
  purger what{request};
  settlement_.forget([&](const observation& x) { return what.concerns(x); });
  for (const auto* existing : goals_.all()) {
    auto next = *existing;
    if (!what.purge(next))
      continue;
    if (auto err = goals_.commit(std::move(next), request.by, "purge_observations"))
      return err;
  }
  return {};
}

} // namespace scratchpage
