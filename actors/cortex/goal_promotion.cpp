#include "scratchpage/actors/cortex/goal_promotion.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

namespace {

std::vector<std::string> list_of_ids(const std::vector<observation_ptr>& observations) {
  std::vector<std::string> result;
  result.reserve(observations.size());
  for (const auto& x : observations)
    result.push_back(x->observation_id);
  return result;
}

using text_set = std::unordered_set<std::string_view, keyed_text_hash, std::equal_to<>>;

text_set as_set(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

/// The tags of the observations, each once, without the `known` ones.
std::vector<std::string> tags_of(
  const std::vector<observation_ptr>& observations, const std::vector<std::string>& known = {}) {
  auto seen = as_set(known);
  std::vector<std::string> result;
  for (const auto& x : observations)
    for (const auto& tag : x->tags)
      if (seen.insert(tag).second)
        result.push_back(tag);
  return result;
}

/// Blocks the goal until a person confirms it, if the verdict says so. An ended goal keeps its
/// status, and waits for the person once it is reopened.
void obey_in(goal& x, const verdict& said) {
  if (said.kind != verdict_kind::ask_user)
    return;
  auto before = x.status;
  auto was_over = is_over(x);
  await_confirmation(x, said.reason);
  if (was_over)
    x.status = before;
  goal_book::name_actions(x, x.revision);
}

json::object refusal_of(const std::string& goal_id, const verdict& said) {
  return {{"goal_id", goal_id}, {"mandate_id", said.mandate_id}, {"reason", said.reason}};
}

/// Removes the observations that the goal neither has nor has room for. Returns their number.
size_t leave_out(std::vector<observation_ptr>& from, const goal& to) {
  auto known = as_set(to.observation_ids);
  auto room = promotion_rules::room_of(to);
  std::vector<observation_ptr> kept;
  for (auto& one : from) {
    auto is_known = known.contains(one->observation_id);
    if (!is_known && room == 0)
      continue;
    room -= is_known ? 0 : 1;
    kept.push_back(std::move(one));
  }
  auto result = from.size() - kept.size();
  from = std::move(kept);
  return result;
}

} // namespace

struct goal_promotion::work {
  work(caf::typed_response_promise<promotion_report> x, const promotion_batch& batch,
    const work_count& in)
    : promise{std::move(x)},
      mark{in.begin()} {
    for (const auto& one : batch.candidates)
      offered.insert(one.observation->observation_id);
  }
  work(const work&) = delete;
  work& operator=(const work&) = delete;
  ~work() { promise.deliver(std::move(report)); }

  caf::typed_response_promise<promotion_report> promise;
  work_mark mark;
  std::set<std::string> offered; ///< ids of the batch, which the page can offer again
  promotion_report report;
  std::map<std::string, uint64_t> begun; ///< new goals, by the outside program they are charged to
};

goal_promotion::goal_promotion(peers with, const promotion_rules& rules, goal_book& goals,
  candidate_groups& groups, goal_settlement& settlement, tracer& trace)
  : with_{std::move(with)},
    judge_{with_.self, with_.consciousness, with_.timeout},
    rules_{rules},
    goals_{goals},
    groups_{groups},
    settlement_{settlement},
    trace_{trace},
    undoes_{with_.work} {}

caf::result<promotion_report> goal_promotion::promote(const promotion_batch& batch) {
  auto answer = with_.self->make_response_promise<promotion_report>();
  auto all = std::make_shared<work>(answer, batch, with_.work);
  for (const auto& request : std::exchange(to_undo_, {}))
    undo(request, all);
  undoes_.set(false);
  auto grouped = group_up(batch, all);
  for (const auto& group : grouped.groups()) {
    if (!group->goal_id.empty() || group->is_complete())
      deal_with(group, all);
    else
      wait_for_more(group);
  }
  return answer;
}

candidate_batch goal_promotion::group_up(const promotion_batch& batch, const work_ptr& all) {
  candidate_batch result{rules_.shared_tags()};
  for (const auto& x : batch.candidates) {
    if (x.observation->linked_to_goal)
      refresh_evidence(x.observation, all);
    else if (!groups_.add(x, result))
      trace_.write("join_goal", as_daemon("frontal_cortex", x.observation->source.turn_id, x.cause),
        {{"observation_id", x.observation->observation_id}}, name_of(errc::not_found));
  }
  return result;
}

void goal_promotion::wait_for_more(const group_ptr& x) {
  trace_.write("wait_for_more", x->by,
    {{"rule_id", x->rule->id}, {"observations", x->observations.size()},
      {"needed", x->rule->min_observations}});
  groups_.wait(x);
}

void goal_promotion::deal_with(const group_ptr& x, const work_ptr& batch) {
  auto no_room = goals_.let_grow(x->counts_for);
  if (const auto* existing = goals_.find(x->goal_id)) {
    if (no_room)
      trace_.write_error("join_goal", x->by, no_room, {{"goal_id", x->goal_id}});
    else
      judge_joining(x, *existing, batch);
    return;
  }
  // A program may send any number of candidates: beyond its limit the Consciousness is not asked.
  auto& begun = batch->begun[x->counts_for];
  if (auto err = goals_.check_share(x->counts_for, begun)) {
    trace_.write_error("create_goal", x->by, err);
    return;
  }
  ++begun;
  auto draft = rules_.draft(*x->rule, x->observations);
  proposal about_to{x->by, "goal", draft.goal_type, tags_of(x->observations), draft.context, false};
  ask(with_.self, with_.consciousness, with_.timeout, std::move(about_to))
    .then([this, x, draft, batch](const verdict& said) { obey(x, draft, said, batch); },
      [this, x, batch](const caf::error& err) {
        trace_.write_error("create_goal", x->by, err);
        try_again(x, batch);
      });
}

void goal_promotion::obey(
  const group_ptr& x, goal draft, const verdict& said, const work_ptr& batch) {
  if (said.kind == verdict_kind::deny) {
    trace_.write("create_goal", x->by,
      {{"goal_type", draft.goal_type}, {"mandate_id", said.mandate_id}, {"reason", said.reason}},
      "forbidden");
    return;
  }
  x->said = said;
  if (said.kind == verdict_kind::ask_user)
    await_confirmation(draft, said.reason);
  make_goal(x, std::move(draft), batch);
}

void goal_promotion::make_goal(const group_ptr& x, goal draft, const work_ptr& batch) {
  if (auto err = goals_.check_room(x->counts_for)) {
    trace_.write_error("create_goal", x->by, err);
    on_refused(x, err, batch);
    return;
  }
  goals_.prepare(draft);
  // Between drafting and now another group may have made the goal it names.
  if (const auto* existing = goals_.find(draft.goal_id)) {
    x->goal_id = existing->goal_id;
    draft = *existing;
  }
  link(x, std::move(draft), batch);
}

/// Observations that join a goal are judged as those of a new goal are.
void goal_promotion::judge_joining(const group_ptr& x, const goal& to, const work_ptr& batch) {
  if (!leave_out_beyond(x, to))
    return;
  auto next = to;
  rules_.link(next, x->observations);
  judge_.judge(x->by, to, next, tags_of(x->observations, rules_.tags_of(to)),
    [this, x, to, batch](const caf::expected<verdict>& said) {
      if (said)
        return obey_joining(x, to, *said, batch);
      trace_.write_error("join_goal", x->by, said.error(), {{"goal_id", to.goal_id}});
      try_again(x, batch);
    });
}

void goal_promotion::obey_joining(
  const group_ptr& x, const goal& to, const verdict& said, const work_ptr& batch) {
  if (said.kind == verdict_kind::deny && x->observations.size() > 1)
    return judge_halves(x, to, batch);
  if (said.kind == verdict_kind::deny) {
    trace_.write("join_goal", x->by, refusal_of(to.goal_id, said), name_of(errc::forbidden));
    return;
  }
  x->said = said;
  auto draft = to;
  obey_in(draft, said);
  link(x, std::move(draft), batch);
}

/// Judges each half of a denied group by itself, down to single observations, so that a forbidden
/// one does not keep out the others of its group.
void goal_promotion::judge_halves(const group_ptr& x, const goal& to, const work_ptr& batch) {
  const auto& all = x->observations;
  auto middle = all.begin() + static_cast<ptrdiff_t>(all.size() / 2);
  for (const auto& part : {std::vector(all.begin(), middle), std::vector(middle, all.end())}) {
    auto half = std::make_shared<candidate_group>(
      candidate_group{x->rule, x->goal_id, part, x->by, x->counts_for});
    half->from_outside = x->from_outside;
    judge_joining(half, to, batch);
  }
}

/// Removes the observations that the goal has no room for. Returns whether any are left.
bool goal_promotion::leave_out_beyond(const group_ptr& x, const goal& to) {
  if (auto count = leave_out(x->observations, to); count > 0)
    trace_.write("join_goal", x->by,
      {{"goal_id", to.goal_id}, {"left_out", count}, {"note", "the goal has no room for more"}},
      name_of(errc::overloaded));
  return !x->observations.empty();
}

/// The page links before the goal is committed, since an observation that it cannot link is no
/// evidence. It is not asked to link what the goal has no room for: linked observations are
/// protected from eviction.
void goal_promotion::link(const group_ptr& x, goal draft, const work_ptr& batch) {
  if (!leave_out_beyond(x, draft))
    return;
  link_observations request{x->by, draft.goal_id, list_of_ids(x->observations)};
  ask(with_.self, with_.page, with_.timeout, std::move(request))
    .then([this, x, draft = std::move(draft), batch](
            const linked_observations& linked) { on_linked(x, draft, linked, batch); },
      [this, x, batch](const caf::error& err) {
        trace_.write_error("link_observations", x->by, err);
        try_again(x, batch);
      });
}

void goal_promotion::on_linked(
  const group_ptr& x, goal draft, const linked_observations& linked, const work_ptr& batch) {
  auto ids = as_set(linked.observation_ids);
  std::erase_if(x->observations,
    [&](const observation_ptr& one) { return !ids.contains(one->observation_id); });
  if (x->observations.empty()) {
    trace_.write("create_goal", x->by, {{"note", "no observation is left"}}, "not_found");
    return;
  }
  if (const auto* existing = goals_.find(draft.goal_id)) {
    join(x, *existing, batch);
    return;
  }
  if (x->rule == nullptr) { // the goal that they name was dropped meanwhile
    unlink(x, draft.goal_id, list_of_ids(x->observations), batch);
    return;
  }
  if (!x->is_complete()) {
    unlink(x, draft.goal_id, list_of_ids(x->observations), batch);
    wait_for_more(x);
    return;
  }
  found_goal(x, std::move(draft), batch);
}

/// Makes the goal from the observations that the page has linked; some may have ended meanwhile.
void goal_promotion::found_goal(const group_ptr& x, goal draft, const work_ptr& batch) {
  auto made = rules_.draft(*x->rule, x->observations);
  made.goal_id = draft.goal_id;
  made.status = draft.status;
  made.pending_actions = std::move(draft.pending_actions);
  made.created_at = draft.created_at;
  count_for(made, x->counts_for);
  auto count = x->observations.size();
  auto text =
    "Goal created from " + std::to_string(count) + (count == 1 ? " observation" : " observations");
  if (auto err = goals_.commit(std::move(made), x->by, "create_goal",
        {{"note", text}, {"observations", count}, {"rule_id", x->rule->id},
          {"observation_ids", to_json(list_of_ids(x->observations))}})) {
    unlink(x, draft.goal_id, list_of_ids(x->observations), batch);
    on_refused(x, err, batch);
  }
}

void goal_promotion::join(const group_ptr& x, const goal& to, const work_ptr& batch) {
  auto next = to;
  auto fresh = rules_.link(next, x->observations);
  if (x->rule != nullptr)
    promotion_rules::warn_of(next, *x->rule, fresh);
  goal_book::name_actions(next, next.pending_actions.size());
  if (x->counts_for.empty())
    count_for(next, {}); // the goal is no longer one program's alone
  unlink_beyond(x, next, batch);
  if (fresh.empty()) {
    trace_.write("join_goal", x->by,
      {{"goal_id", to.goal_id}, {"note", "all of them are its evidence already"}});
    return;
  }
  obey_in(next, x->said);
  auto count = next.observation_ids.size();
  if (goals_.commit(std::move(next), x->by, "extend_goal",
        {{"note", "Goal now has " + std::to_string(count) + " observations"},
          {"observations", count}, {"observation_ids", to_json(list_of_ids(x->observations))}})) {
    unlink(x, to.goal_id, list_of_ids(fresh), batch);
    try_again(x, batch);
    return;
  }
  for (auto& one : fresh) {
    auto is_from_outside = x->from_outside.contains(one->observation_id);
    settlement_.linked(to.goal_id, std::move(one), is_from_outside);
  }
  // Outside turns there is no turn's end to wait for.
  if (x->by.turn_id.empty())
    settlement_.settle({x->by, {}});
}

/// Unlinks the observations that did not get into the goal: another group may have filled it while
/// the page linked these.
void goal_promotion::unlink_beyond(const group_ptr& x, const goal& full, const work_ptr& batch) {
  auto known = as_set(full.observation_ids);
  auto beyond = list_of_ids(x->observations);
  std::erase_if(beyond, [&](const std::string& id) { return known.contains(id); });
  if (!beyond.empty())
    unlink(x, full.goal_id, std::move(beyond), batch);
}

void goal_promotion::unlink(const group_ptr& x, const std::string& goal_id,
  std::vector<std::string> ids, const work_ptr& batch) {
  undo({x->by, goal_id, std::move(ids), true}, batch);
}

/// Asks the page to unlink. If that fails, it is tried again with the next candidates.
void goal_promotion::undo(const link_observations& request, const work_ptr& batch) {
  constexpr size_t max_waiting = 1'000; // further ones are undone when the page starts again
  ask(with_.self, with_.page, with_.timeout, request)
    .then([batch](const linked_observations&) {},
      [this, request, batch](const caf::error& err) {
        trace_.write_error("unlink_observations", request.by, err);
        if (to_undo_.size() < max_waiting)
          to_undo_.push_back(request);
        undoes_.set(true);
      });
}

/// Tries again later, except for an outside program's goal that found no room: such a program may
/// send any number of candidates.
void goal_promotion::on_refused(const group_ptr& x, const caf::error& err, const work_ptr& batch) {
  if (x->counts_for.empty() || code_of(err) != errc::overloaded)
    try_again(x, batch);
}

/// Tries the group again at the next turn: the page offers again what came with this batch, and
/// observations of earlier batches wait here.
void goal_promotion::try_again(const group_ptr& x, const work_ptr& batch) {
  candidate_group earlier{x->rule, {}, {}, x->by, x->counts_for};
  earlier.from_outside = x->from_outside;
  for (const auto& one : x->observations) {
    if (batch->offered.contains(one->observation_id))
      batch->report.again.push_back(one->observation_id);
    else
      earlier.observations.push_back(one);
  }
  if (!earlier.observations.empty())
    groups_.wait(std::make_shared<candidate_group>(std::move(earlier)));
}

/// Updates the evidence of goals after a linked observation has changed. The Consciousness is asked
/// first, since the change may bring tags that mandates decide by.
void goal_promotion::refresh_evidence(const observation_ptr& x, const work_ptr& batch) {
  for (const auto& id : x->linked_goal_ids) {
    const auto* existing = goals_.find(id);
    if (existing == nullptr)
      continue;
    auto by = as_daemon("frontal_cortex", x->source.turn_id);
    if (auto err = is_over(*existing) ? caf::error{} : goals_.let_grow(counts_for(*existing))) {
      trace_.write_error("refresh_evidence", by, err, {{"goal_id", id}});
      continue;
    }
    auto next = *existing;
    rules_.refresh(next, *x);
    judge_.judge(by, *existing, next, tags_of({x}, rules_.tags_of(*existing)),
      [this, x, id, by, batch](const caf::expected<verdict>& said) {
        const auto* now = goals_.find(id);
        if (said && now != nullptr) {
          refresh(*now, *x, *said);
        } else if (!said) {
          trace_.write_error("refresh_evidence", by, said.error(), {{"goal_id", id}});
          batch->report.again.push_back(x->observation_id);
        }
      });
  }
}

void goal_promotion::refresh(const goal& of, const observation& x, const verdict& said) {
  auto by = as_daemon("frontal_cortex", x.source.turn_id);
  if (said.kind == verdict_kind::deny || (said.kind == verdict_kind::ask_user && is_over(of))) {
    trace_.write("refresh_evidence", by, refusal_of(of.goal_id, said), name_of(errc::forbidden));
    return;
  }
  auto next = of;
  rules_.refresh(next, x);
  obey_in(next, said);
  // If the store fails, that is traced, and the goal keeps its old evidence.
  std::ignore =
    goals_.commit(std::move(next), by, "refresh_evidence", {{"observation_id", x.observation_id}});
}

} // namespace scratchpage
