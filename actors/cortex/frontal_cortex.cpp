#include "scratchpage/actors/cortex/frontal_cortex.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "scratchpage/actors/daemons/daemon.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

std::vector<std::string> ids_of(const std::vector<observation_ptr>& observations) {
  std::vector<std::string> result;
  result.reserve(observations.size());
  for (const auto& x : observations)
    result.push_back(x->observation_id);
  return result;
}

void note(std::vector<std::string>& ids, const std::string& id) {
  if (std::find(ids.begin(), ids.end(), id) == ids.end())
    ids.push_back(id);
}

/// Adds an observation, in place of an older revision of it.
void put(std::vector<observation_ptr>& to, const observation_ptr& x) {
  std::erase_if(
    to, [&](const observation_ptr& one) { return one->observation_id == x->observation_id; });
  to.push_back(x);
}

std::vector<std::string> tags_of(const std::vector<observation_ptr>& observations) {
  std::vector<std::string> result;
  for (const auto& x : observations)
    for (const auto& tag : x->tags)
      note(result, tag);
  return result;
}

} // namespace

struct frontal_cortex_state::work {
  work(caf::typed_response_promise<promotion_report> x, const promotion_batch& batch)
    : promise{std::move(x)} {
    for (const auto& one : batch.candidates)
      offered.insert(one.observation->observation_id);
  }
  work(const work&) = delete;
  work& operator=(const work&) = delete;
  ~work() { promise.deliver(std::move(report)); }

  caf::typed_response_promise<promotion_report> promise;
  std::set<std::string> offered; ///< what the page will offer again if asked to
  promotion_report report;
};

frontal_cortex_state::frontal_cortex_state(handle::pointer self, agent_context agent,
  frontal_cortex_setup setup, scratch_page_actor page, consciousness_actor consciousness)
  : self_{self},
    agent_{std::move(agent)},
    setup_{std::move(setup)},
    page_{std::move(page)},
    consciousness_{std::move(consciousness)},
    rules_{setup_.promotion},
    progress_{setup_.progress},
    trace_{agent_, "frontal_cortex", static_cast<uint32_t>(component::frontal_cortex)} {
  if (!setup_.store)
    setup_.store = std::make_shared<null_goal_store>();
}

frontal_cortex_state::handle::behavior_type frontal_cortex_state::make_behavior() {
  tell(self_, page_, take_candidates{handle{self_}});
  subscribe order{as_daemon("frontal_cortex"), subscriber_actor{handle{self_}}, {}, {}, true};
  order.filter.status = {status::resolved};
  ask(self_, page_, from_milliseconds(setup_.limits.request_ms), std::move(order))
    .then([](uint64_t) {},
      [this](const caf::error& err) {
        trace_.write_error("subscribe", as_daemon("frontal_cortex"), err);
      });
  return {
    [this](const event_batch& x) { hear(x); },
    [this](const promotion_batch& x) { return promote(x); },
    [this](const create_goal& x) { return create(x); },
    [this](const list_goals& x) { return list(x); },
    [this](const update_goal& x) -> caf::result<goal> { return update(x); },
    [this](const complete_action& x) -> caf::result<goal> { return complete(x); },
    [this](const settle_goals& x) -> caf::result<goal_list> {
      if (x.by.role != role::tool)
        return settle(x);
      auto err = fail(errc::forbidden, "by.role", "a tool may not settle goals");
      trace_.write_error("settle_goals", x.by, err);
      return err;
    },
  };
}

// -- promotion ------------------------------------------------------------------------

caf::result<promotion_report> frontal_cortex_state::promote(const promotion_batch& batch) {
  auto answer = self_->make_response_promise<promotion_report>();
  auto all = std::make_shared<work>(answer, batch);
  for (const auto& group : group_up(batch)) {
    if (!group->goal_id.empty() || is_complete(*group))
      deal_with(group, all);
    else
      wait_for_more(group);
  }
  return answer;
}

std::vector<frontal_cortex_state::group_ptr> frontal_cortex_state::group_up(
  const promotion_batch& batch) {
  std::vector<group_ptr> groups;
  for (const auto& x : batch.candidates) {
    if (x.observation->linked_to_goal)
      refresh_evidence(*x.observation);
    else
      add_to_group(x, groups);
  }
  return groups;
}

void frontal_cortex_state::add_to_group(
  const promotion_candidate& x, std::vector<group_ptr>& groups) {
  const auto* rule = rules_.find(x.rule_id);
  const auto& candidate = *x.observation;
  auto by = as_daemon("frontal_cortex", candidate.source.turn_id, x.cause);
  for (const auto& id : order_) {
    auto& to = goals_.at(id);
    if (is_over(to))
      continue;
    if (rule != nullptr ? !rules_.related(candidate, *rule, to)
                        : !promotion_rules::named_by(candidate, to))
      continue;
    auto same = [&](const group_ptr& g) { return g->goal_id == id; };
    auto found = std::find_if(groups.begin(), groups.end(), same);
    if (found == groups.end())
      groups.push_back(std::make_shared<group>(group{rule, id, {x.observation}, by}));
    else
      put((*found)->observations, x.observation);
    return;
  }
  if (rule == nullptr)
    return; // names a goal that does not exist; that is no reason to make one
  auto fits = [&](const group_ptr& g) {
    return g->rule != nullptr && g->goal_id.empty()
           && std::any_of(g->observations.begin(), g->observations.end(),
             [&](const auto& y) { return rules_.related(candidate, *rule, *y, *g->rule); });
  };
  if (auto found = std::find_if(groups.begin(), groups.end(), fits); found != groups.end()) {
    put((*found)->observations, x.observation);
    return;
  }
  if (auto found = std::find_if(waiting_.begin(), waiting_.end(), fits); found != waiting_.end()) {
    put((*found)->observations, x.observation);
    (*found)->by = by;
    groups.push_back(std::move(*found));
    waiting_.erase(found);
    return;
  }
  groups.push_back(std::make_shared<group>(group{rule, "", {x.observation}, by}));
}

bool frontal_cortex_state::is_complete(const group& x) {
  return x.observations.size() >= x.rule->min_observations;
}

void frontal_cortex_state::wait_for_more(const group_ptr& x) {
  trace_.write("wait_for_more", x->by,
    {{"rule_id", x->rule->id}, {"observations", x->observations.size()},
      {"needed", x->rule->min_observations}});
  waiting_.push_back(x);
  if (waiting_.size() > setup_.limits.max_waiting)
    waiting_.erase(waiting_.begin());
}

void frontal_cortex_state::deal_with(const group_ptr& x, const work_ptr& batch) {
  if (auto* existing = find(x->goal_id)) {
    link(x, *existing, batch);
    return;
  }
  auto draft = rules_.draft(*x->rule, x->observations);
  proposal about_to{x->by, "goal", draft.goal_type, tags_of(x->observations), draft.context, false};
  ask(self_, consciousness_, from_milliseconds(setup_.limits.request_ms), std::move(about_to))
    .then(
      [this, x, draft, batch](const verdict& said) mutable {
        if (said.kind == verdict_kind::deny) {
          trace_.write("create_goal", x->by,
            {{"goal_type", draft.goal_type}, {"mandate_id", said.mandate_id},
              {"reason", said.reason}},
            "forbidden");
          return;
        }
        if (said.kind == verdict_kind::ask_user) {
          draft.status = goal_status::blocked;
          draft.pending_actions.insert(
            draft.pending_actions.begin(), {"", "confirm_goal", said.reason, assignee::user,
                                             draft.priority, action_status::pending, true});
        }
        make_goal(x, std::move(draft), batch);
      },
      [this, x, batch](const caf::error& err) {
        trace_.write_error("create_goal", x->by, err);
        try_again(x, batch);
      });
}

void frontal_cortex_state::make_goal(const group_ptr& x, goal draft, const work_ptr& batch) {
  if (auto err = make_room()) {
    trace_.write_error("create_goal", x->by, err);
    try_again(x, batch);
    return;
  }
  prepare(draft);
  // Between drafting and now another group may have made the goal it names.
  if (auto* existing = find(draft.goal_id)) {
    x->goal_id = existing->goal_id;
    draft = *existing;
  }
  link(x, std::move(draft), batch);
}

/// The page links first: what it cannot link any more is no evidence.
void frontal_cortex_state::link(const group_ptr& x, goal draft, const work_ptr& batch) {
  link_observations request{x->by, draft.goal_id, ids_of(x->observations)};
  ask(self_, page_, from_milliseconds(setup_.limits.request_ms), std::move(request))
    .then([this, x, draft = std::move(draft), batch](
            const linked_observations& linked) { on_linked(x, draft, linked, batch); },
      [this, x, batch](const caf::error& err) {
        trace_.write_error("link_observations", x->by, err);
        try_again(x, batch);
      });
}

void frontal_cortex_state::on_linked(
  const group_ptr& x, goal draft, const linked_observations& linked, const work_ptr& batch) {
  std::erase_if(x->observations, [&](const observation_ptr& one) {
    const auto& ids = linked.observation_ids;
    return std::find(ids.begin(), ids.end(), one->observation_id) == ids.end();
  });
  if (x->observations.empty()) {
    trace_.write("create_goal", x->by, {{"note", "no observation is left"}}, "not_found");
    return;
  }
  if (auto* existing = find(draft.goal_id)) {
    join(x, *existing, batch);
    return;
  }
  if (x->rule == nullptr) { // the goal that they name is forgotten meanwhile
    unlink(x, draft.goal_id, ids_of(x->observations), batch);
    return;
  }
  if (!is_complete(*x)) {
    unlink(x, draft.goal_id, ids_of(x->observations), batch);
    wait_for_more(x);
    return;
  }
  auto made = rules_.draft(*x->rule, x->observations); // without those that ended meanwhile
  made.goal_id = draft.goal_id;
  made.status = draft.status;
  made.pending_actions = std::move(draft.pending_actions);
  made.created_at = draft.created_at;
  auto count = x->observations.size();
  auto text =
    "Goal created from " + std::to_string(count) + (count == 1 ? " observation" : " observations");
  if (commit(std::move(made), x->by, "create_goal",
        {{"note", text}, {"observations", count}, {"rule_id", x->rule->id},
          {"observation_ids", to_json(ids_of(x->observations))}})) {
    unlink(x, draft.goal_id, ids_of(x->observations), batch);
    try_again(x, batch);
  }
}

void frontal_cortex_state::join(const group_ptr& x, goal& to, const work_ptr& batch) {
  auto next = to;
  std::vector<unsettled> fresh;
  for (const auto& one : x->observations)
    if (rules_.link(next, *one))
      fresh.push_back({to.goal_id, one});
  if (fresh.empty())
    return;
  auto count = next.observation_ids.size();
  if (commit(std::move(next), x->by, "extend_goal",
        {{"note", "Goal now has " + std::to_string(count) + " observations"},
          {"observations", count}, {"observation_ids", to_json(ids_of(x->observations))}})) {
    std::vector<std::string> ids;
    ids.reserve(fresh.size());
    for (const auto& one : fresh)
      ids.push_back(one.observation->observation_id);
    unlink(x, to.goal_id, std::move(ids), batch);
    try_again(x, batch);
    return;
  }
  for (auto& one : fresh)
    unsettled_.push_back(std::move(one));
  while (unsettled_.size() > setup_.limits.max_waiting)
    unsettled_.erase(unsettled_.begin());
  // Outside turns there is no turn's end to wait for.
  if (x->by.turn_id.empty())
    settle({x->by, {}});
}

void frontal_cortex_state::unlink(const group_ptr& x, const std::string& goal_id,
  std::vector<std::string> ids, const work_ptr& batch) {
  link_observations request{x->by, goal_id, std::move(ids), true};
  ask(self_, page_, from_milliseconds(setup_.limits.request_ms), std::move(request))
    .then([batch](const linked_observations&) {},
      [this, x, batch](
        const caf::error& err) { trace_.write_error("unlink_observations", x->by, err); });
}

/// At the next turn: the page offers what came with this batch again, and what
/// came with earlier ones waits here for it.
void frontal_cortex_state::try_again(const group_ptr& x, const work_ptr& batch) {
  group earlier{x->rule, {}, {}, x->by};
  for (const auto& one : x->observations) {
    if (batch->offered.contains(one->observation_id))
      batch->report.again.push_back(one->observation_id);
    else
      earlier.observations.push_back(one);
  }
  if (!earlier.observations.empty())
    waiting_.push_back(std::make_shared<group>(std::move(earlier)));
}

void frontal_cortex_state::refresh_evidence(const observation& x) {
  for (const auto& id : x.linked_goal_ids) {
    auto* existing = find(id);
    if (existing == nullptr)
      continue;
    auto next = *existing;
    for (auto& one : next.evidence) {
      if (one.observation_id == x.observation_id) {
        one.content = x.content;
        one.confidence = x.confidence;
      }
    }
    // What the store refuses is traced; the goal then shows what it was made of.
    std::ignore = commit(std::move(next), as_daemon("frontal_cortex", x.source.turn_id),
      "refresh_evidence", {{"observation_id", x.observation_id}});
  }
}

// -- goals ----------------------------------------------------------------------------

caf::result<goal> frontal_cortex_state::create(const create_goal& request) {
  auto draft = request.draft;
  if (request.by.role == role::tool)
    return fail(errc::forbidden, "by.role", "a tool may not make goals");
  if (draft.goal_type.empty())
    return fail(errc::invalid_request, "draft.goal_type", "expected a goal's type");
  if (find(draft.goal_id) != nullptr)
    return fail(errc::conflict, "draft.goal_id", "there is a goal '" + draft.goal_id + "' already");
  if (auto err = make_room())
    return err;
  draft.progress = 0;
  draft.observation_ids.clear();
  draft.observation_id.clear();
  draft.evidence.clear();
  draft.status = goal_status::pending;
  prepare(draft);
  auto answer = self_->make_response_promise<goal>();
  proposal about_to{
    request.by, "goal", draft.goal_type, {}, draft.context, request.by.kind == source_kind::user};
  ask(self_, consciousness_, from_milliseconds(setup_.limits.request_ms), std::move(about_to))
    .then(
      [this, answer, draft, by = request.by](const verdict& said) mutable {
        caf::error err;
        if (said.kind == verdict_kind::deny)
          err = fail(errc::forbidden, "draft.goal_type",
            "mandate " + said.mandate_id + " forbids it: " + said.reason);
        else if (said.kind == verdict_kind::ask_user)
          draft.status = goal_status::blocked;
        if (!err)
          err = commit(draft, by, "create_goal", {{"note", "Goal created on request"}});
        if (err)
          answer.deliver(std::move(err));
        else
          answer.deliver(goals_.at(draft.goal_id));
      },
      [answer](const caf::error& err) mutable { answer.deliver(err); });
  return answer;
}

goal_list frontal_cortex_state::list(const list_goals& request) const {
  goal_list result;
  for (const auto& id : order_) {
    const auto& x = goals_.at(id);
    if (request.status.empty()
        || std::find(request.status.begin(), request.status.end(), x.status)
             != request.status.end())
      result.goals.push_back(x);
  }
  return result;
}

caf::expected<goal> frontal_cortex_state::update(const update_goal& request) {
  auto refused = [&](caf::error err) {
    trace_.write_error("update_goal", request.by, err, {{"goal_id", request.goal_id}});
    return err;
  };
  if (request.by.role == role::tool)
    return refused(fail(errc::forbidden, "by.role", "a tool may not change goals"));
  auto* existing = find(request.goal_id);
  if (existing == nullptr)
    return refused(fail(errc::not_found, "goal_id", "no such goal: '" + request.goal_id + "'"));
  if (request.expected_revision && *request.expected_revision != existing->revision)
    return refused(fail(errc::conflict, "expected_revision",
      "expected " + std::to_string(existing->revision) + ", the current revision"));
  if (request.progress && (*request.progress > 1 || *request.progress < existing->progress))
    return refused(fail(errc::invalid_request, "progress",
      "expected a number from " + to_text(json::value(existing->progress))
        + ", the progress so far, to 1"));
  auto next = *existing;
  next.status = request.status.value_or(next.status);
  next.priority = request.priority.value_or(next.priority);
  next.title = request.title.value_or(next.title);
  next.description = request.description.value_or(next.description);
  next.progress = request.progress.value_or(next.progress);
  if (auto err = commit(std::move(next), request.by, "update_goal", {}))
    return err;
  return *existing;
}

caf::expected<goal> frontal_cortex_state::complete(const complete_action& request) {
  auto refused = [&](caf::error err) {
    trace_.write_error("complete_action", request.by, err, {{"action_id", request.action_id}});
    return err;
  };
  if (request.by.role == role::tool)
    return refused(fail(errc::forbidden, "by.role", "a tool may not complete actions"));
  auto* existing = find(request.goal_id);
  if (existing == nullptr)
    return refused(fail(errc::not_found, "goal_id", "no such goal: '" + request.goal_id + "'"));
  auto next = *existing;
  auto who = request.by.kind == source_kind::user ? assignee::user : assignee::agent;
  if (auto err = progress_.complete(next, request.action_id, who))
    return refused(err);
  progress_.settle(next);
  if (auto err =
        commit(std::move(next), request.by, "complete_action", {{"action_id", request.action_id}}))
    return err;
  return *existing;
}

goal_list frontal_cortex_state::settle(const settle_goals& request) {
  std::vector<std::string> concerned;
  for (const auto& id : order_)
    for (const auto& one : request.observations)
      if (const auto& ids = goals_.at(id).observation_ids;
          std::find(ids.begin(), ids.end(), one->observation_id) != ids.end())
        note(concerned, id);
  settle_links(request, concerned);
  settle_resolved(request, concerned);
  goal_list result;
  for (const auto& id : concerned)
    if (auto* x = find(id))
      result.goals.push_back(*x);
  return result;
}

void frontal_cortex_state::settle_links(
  const settle_goals& request, std::vector<std::string>& moved) {
  for (auto& one : std::exchange(unsettled_, {})) {
    const auto& turn = one.observation->source.turn_id;
    if (!turn.empty() && turn != request.by.turn_id) {
      unsettled_.push_back(std::move(one)); // its own turn will end
      continue;
    }
    auto* existing = find(one.goal_id);
    if (existing == nullptr)
      continue;
    auto next = *existing;
    if (!progress_.linked(next, *one.observation))
      continue;
    progress_.settle(next);
    json::object detail{{"observation_id", one.observation->observation_id},
      {"from", existing->progress}, {"to", next.progress}};
    if (!commit(std::move(next), request.by, "goal_progress", std::move(detail)))
      note(moved, one.goal_id);
  }
}

void frontal_cortex_state::settle_resolved(
  const settle_goals& request, std::vector<std::string>& moved) {
  for (const auto& one : std::exchange(resolved_, {})) {
    for (const auto& id : order_) {
      auto next = goals_.at(id);
      if (is_over(next) || !progress_.resolved(next, *one, resolved_by(*one)))
        continue;
      progress_.settle(next);
      if (!commit(
            std::move(next), request.by, "action_done", {{"observation_id", one->observation_id}}))
        note(moved, id);
    }
  }
}

void frontal_cortex_state::hear(const event_batch& batch) {
  for (const auto& event : batch.events) {
    if (!event.observation)
      continue;
    if (event.observation->status == status::resolved) {
      resolved_.push_back(event.observation);
      if (resolved_.size() > setup_.limits.max_waiting)
        resolved_.erase(resolved_.begin());
      continue;
    }
    // It has left the page: it is no candidate any more.
    for (auto& group : waiting_)
      std::erase_if(group->observations, [&](const observation_ptr& x) {
        return x->observation_id == event.observation->observation_id;
      });
    std::erase_if(waiting_, [](const group_ptr& x) { return x->observations.empty(); });
  }
}

// -- keeping --------------------------------------------------------------------------

caf::error frontal_cortex_state::commit(
  goal next, const caller& by, std::string_view operation, json::object detail) {
  auto* existing = find(next.goal_id);
  next.updated_at = to_milliseconds(agent_.clock->now());
  next.revision = existing != nullptr ? existing->revision + 1 : 1;
  if (auto err = setup_.store->put(next)) {
    auto unavailable = fail(errc::storage_unavailable, "", describe(err));
    trace_.write_error(operation, by, unavailable, {{"goal_id", next.goal_id}});
    return unavailable;
  }
  auto ends = is_over(next) && existing != nullptr && !is_over(*existing);
  detail["goal_id"] = next.goal_id;
  detail["status"] = name_of(next.status);
  detail["progress"] = next.progress;
  trace_.write(operation, by, std::move(detail));
  if (existing == nullptr)
    order_.push_back(next.goal_id);
  auto id = next.goal_id;
  goals_.insert_or_assign(id, std::move(next));
  if (ends)
    tell(self_, page_, goal_closed{by, id});
  return {};
}

caf::error frontal_cortex_state::make_room() {
  if (goals_.size() < setup_.limits.max_goals)
    return {};
  auto over = std::find_if(
    order_.begin(), order_.end(), [this](const auto& id) { return is_over(goals_.at(id)); });
  if (over == order_.end())
    return fail(errc::overloaded, "max_goals",
      "expected at most " + std::to_string(setup_.limits.max_goals) + " open goals");
  goals_.erase(*over);
  order_.erase(over);
  return {};
}

/// Gives a goal and its actions ids and a beginning.
void frontal_cortex_state::prepare(goal& x) {
  if (x.goal_id.empty()) {
    do {
      x.goal_id = "goal_" + std::to_string(++last_number_);
    } while (find(x.goal_id) != nullptr);
  }
  size_t n = 0;
  for (auto& action : x.pending_actions) {
    ++n;
    if (action.action_id.empty())
      action.action_id = x.goal_id + "_action_" + std::to_string(n);
  }
  x.created_at = to_milliseconds(agent_.clock->now());
}

goal* frontal_cortex_state::find(const std::string& goal_id) {
  auto i = goals_.find(goal_id);
  return i == goals_.end() ? nullptr : &i->second;
}

bool frontal_cortex_state::is_over(const goal& x) {
  return x.status == goal_status::completed || x.status == goal_status::abandoned;
}

} // namespace scratchpage
