#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/actors/page/write_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"

/// The plans of the operations: the changes that a request makes, or the error if the caller may
/// not make them or there is no room.

namespace scratchpage {

namespace {

caf::error unknown_id(const std::string& id, std::string_view field = "observation_id") {
  return fail(errc::not_found, field, "no such observation on the page: '" + id + "'");
}

bool is_stale(const update_observation& x, const observation& current) {
  return x.expected_revision && *x.expected_revision != current.revision;
}

/// Fetches what a draft points at into the cache. Another thread has made the draft, and each of
/// these would be waited for in turn.
void prefetch(const observation_draft& x) {
  __builtin_prefetch(x.content.data());
  __builtin_prefetch(x.tags.data());
  if (!x.context.empty())
    __builtin_prefetch(&*x.context.begin());
}

} // namespace

caf::expected<scratch_page_state::plan<receipt>> scratch_page_state::plan_add(
  add_observation& request) {
  prefetch(request.draft);
  if (auto err = join_turn(request.by, request.draft))
    return refuse("add_observation", request.by, err);
  if (auto err = check_writer(request))
    return refuse("add_observation", request.by, err);
  auto at = to_milliseconds(now());
  if (setup_.masker) {
    if (auto err = check_sizes(request.draft))
      return refuse("add_observation", request.by, err);
    setup_.masker->mask(request.draft);
  }
  auto accepted =
    accept(std::move(request.draft), request.by, types_, setup_.limits.default_ttl_minutes, at);
  if (!accepted)
    return refuse("add_observation", request.by, accepted.error());
  accepted->value->observation_id = ids_.next(at);
  auto bytes = memory_of(*accepted->value);
  plan<receipt> result{"add_observation", {}, {}};
  auto err = check_unsaved();
  if (!err)
    err = protection_.check_share(*accepted->value, bytes, request.by);
  if (!err)
    err = make_room(result.todo, 1, static_cast<int64_t>(bytes));
  if (err)
    return refuse("add_observation", request.by, err);
  observation_ptr added{std::move(accepted->value)};
  result.todo.push_back({event_kind::added, ids_.take(), added, {}, {}, bytes});
  result.todo.back().is_from_outside = request.by.outside && request.by.role != role::tool;
  turns_.count_addition(request.by.turn_id, request.by);
  if (protection::is_protected_type(*added))
    protection_.note_planned(result.todo.back(), request.by);
  if (trace_.enabled() && !accepted->warnings.empty())
    result.todo.back().detail["warnings"] = to_json(accepted->warnings);
  result.answer = {std::move(added), std::move(accepted->warnings)};
  return result;
}

/// A caller that is in no turn may name an open turn in its draft, and then adds to that turn.
caf::error scratch_page_state::join_turn(caller& by, const observation_draft& draft) const {
  const auto& claim = draft.source;
  if (!claim || claim->turn_id.empty() || !by.turn_id.empty() || by.role == role::tool
      || claim->kind != by.kind || claim->name != by.name)
    return {};
  if (!turns_.is_open(claim->turn_id))
    return fail(errc::not_found, "turn_id", "expected an open turn, got '" + claim->turn_id + "'");
  if (auto err = turns_.check_addition(claim->turn_id, by))
    return err;
  by.turn_id = claim->turn_id;
  return {};
}

/// Checks whether the caller may add the draft.
caf::error scratch_page_state::check_writer(const add_observation& request) const {
  return writers_.check(request.draft, request.by, types_);
}

/// Limits the number of changes that are on their way to storage.
caf::error scratch_page_state::check_unsaved() const {
  if (commits_.staged() < setup_.durability.max_unsaved)
    return {};
  return fail(errc::overloaded, "max_unsaved",
    "expected at most " + std::to_string(setup_.durability.max_unsaved)
      + " changes on their way to storage");
}

caf::expected<scratch_page_state::plan<receipt>> scratch_page_state::plan_update(
  update_observation& request) {
  auto refused = [&](const caf::error& err) {
    trace_.write_error(
      "update_observation", request.by, err, {{"observation_id", request.observation_id}});
    return err;
  };
  auto current = find_current(request.observation_id);
  if (auto err = prepare_update(request, current))
    return refused(err);
  auto stale = is_stale(request, *current);
  auto next = scratchpage::apply(*current, std::move(request.changes), request.by,
    setup_.limits.default_ttl_minutes, to_milliseconds(now()));
  if (!next)
    return refused(next.error());
  if (auto err = write_rules::check_life(*current, *next->value, request.by))
    return refused(err);
  auto kind = next->value->status == status::archived ? event_kind::archived : event_kind::updated;
  observation_ptr after{std::move(next->value)};
  page_change updated{kind, *number_of(request.observation_id), after, {}, {}, memory_of(*after)};
  if (trace_.enabled() && !next->warnings.empty())
    updated.detail["warnings"] = to_json(next->warnings);
  if (stale)
    updated.detail["overwritten_revision"] = current->revision;
  plan<receipt> result{"update_observation", {}, {after, std::move(next->warnings)}};
  protection_.share_of(current->source, request.by); // a change may make it a candidate for a goal
  auto growth = growth_by(updated, updated.bytes);
  if (growth > 0) {
    auto err = protection_.check_growth(updated, *current, growth, request.by);
    if (!err)
      err = make_room(result.todo, 0, growth, updated.number);
    if (err)
      return refused(err);
  }
  result.todo.push_back(std::move(updated));
  if (stale)
    result.afterwards = [this, by = request.by, lost = std::move(current)] {
      trace_.write("conflict", by,
        {{"observation_id", lost->observation_id}, {"lost_revision", lost->revision},
          {"lost_content", lost->content}},
        "conflict");
    };
  return result;
}

/// Checks whether the request may change `current`, which is null if the observation is not on the
/// page. Masks personal data in the changes.
caf::error scratch_page_state::prepare_update(
  update_observation& request, const observation_ptr& current) const {
  if (!current)
    return cannot_find(request);
  if (auto err = may_change(request.by, *current))
    return err;
  if (auto err = write_rules::check(*current, request.changes, request.by))
    return err;
  if (is_stale(request, *current) && request.on_conflict == on_conflict::reject)
    return fail(errc::conflict, "expected_revision",
      "expected " + std::to_string(current->revision) + ", the current revision");
  if (!setup_.masker)
    return {};
  if (auto err = check_sizes(request.changes))
    return err;
  setup_.masker->mask(request.changes);
  return {};
}

/// Observations that the ensemble added to a turn are not changed from outside until the turn ends.
caf::error scratch_page_state::check_guarded(
  const caller& by, const observation& x, std::string_view field) const {
  auto number = number_of(x.observation_id);
  if (!number || !turns_.is_guarded(*number, x, by))
    return {};
  return fail(errc::forbidden, field,
    "expected no change of an observation of the ensemble until its turn ends; " + x.observation_id
      + " belongs to " + x.source.turn_id + ", which is open");
}

/// The change that moves an observation of the page to the archive.
page_change scratch_page_state::archive_of(uint64_t number, timestamp at) const {
  auto x = *index_.find(number);
  x.status = status::archived;
  x.updated_at = to_milliseconds(at);
  ++x.revision;
  return {event_kind::archived, number, observation_ptr{std::move(x)}};
}

caf::expected<scratch_page_state::plan<caf::unit_t>> scratch_page_state::plan_archive(
  archive_observation& request) {
  auto current = find_current(request.observation_id);
  auto err = current ? may_change(request.by, *current) : unknown_id(request.observation_id);
  if (err) {
    trace_.write_error(
      "archive_observation", request.by, err, {{"observation_id", request.observation_id}});
    return err;
  }
  plan<caf::unit_t> result{"archive_observation", {}};
  result.todo.push_back(archive_of(*number_of(request.observation_id), now()));
  return result;
}

caf::expected<scratch_page_state::plan<caf::unit_t>> scratch_page_state::plan_clear(
  clear_resolved& request) {
  plan<caf::unit_t> result{"clear_resolved", {}};
  caf::error err = daemons_only(request.by, "clear resolved observations");
  if (!err && request.observation_ids.size() > clear_resolved::most)
    err = fail(errc::invalid_request, "observation_ids",
      "expected at most " + std::to_string(clear_resolved::most) + " ids, got "
        + std::to_string(request.observation_ids.size()));
  std::set<std::string_view> seen;
  for (const auto& id : request.observation_ids) {
    if (err)
      break;
    auto current = find_current(id);
    if (!current)
      err = unknown_id(id, "observation_ids");
    else if (current->status != status::resolved)
      err = fail(errc::invalid_transition, "observation_ids",
        "expected resolved observations only; " + id + " is " + to_string(current->status));
    else if (auto guarded = check_guarded(request.by, *current, "observation_ids"))
      err = std::move(guarded);
    else if (seen.insert(id).second)
      result.todo.push_back(archive_of(*number_of(id), now()));
  }
  if (err)
    return refuse("clear_resolved", request.by, err);
  return result;
}

caf::expected<scratch_page_state::plan<linked_observations>> scratch_page_state::plan_link(
  link_observations& request) {
  auto operation = request.undo ? "unlink_observation" : "link_observation";
  if (auto err = daemons_only(request.by, "link observations"))
    return refuse("link_observation", request.by, err);
  plan<linked_observations> result{operation, {}, {}};
  std::set<std::string_view> named;
  for (const auto& id : request.observation_ids) {
    auto current = find_current(id);
    if (!current || !named.insert(id).second)
      continue;
    result.answer.observation_ids.push_back(id);
    auto x = *current;
    auto& linked = x.linked_goal_ids;
    auto known = std::find(linked.begin(), linked.end(), request.goal_id);
    if ((known != linked.end()) != request.undo)
      continue;
    if (request.undo)
      linked.erase(known);
    else
      linked.push_back(request.goal_id);
    x.linked_to_goal = !linked.empty();
    x.updated_at = to_milliseconds(now());
    ++x.revision;
    result.todo.push_back({event_kind::linked, *number_of(id), observation_ptr{std::move(x)},
      {{"goal_id", request.goal_id}}});
  }
  std::vector<uint64_t> numbers;
  for (const auto& x : result.todo)
    numbers.push_back(x.number);
  result.afterwards = [this, goal_id = request.goal_id, undo = request.undo, numbers] {
    note_links(goal_id, undo, numbers);
  };
  return result;
}

void scratch_page_state::note_links(
  const std::string& goal_id, bool undo, const std::vector<uint64_t>& numbers) {
  for (auto number : numbers) {
    if (undo) {
      if (protection_.remove_evidence(goal_id, number))
        update_protection(number);
    } else if (auto x = index_.find(number)) {
      protection_.add_evidence(goal_id, number, *x);
    }
  }
}

caf::error scratch_page_state::close_goal(const goal_closed& request) {
  if (auto err = daemons_only(request.by, "close goals"))
    return refuse("goal_closed", request.by, err);
  auto numbers = protection_.close_goal(request.goal_id);
  trace_.write(
    "goal_closed", request.by, {{"goal_id", request.goal_id}, {"observations", numbers.size()}});
  for (auto number : numbers)
    update_protection(number);
  return {};
}

/// Updates the protection of an observation after a goal or a link has ended.
void scratch_page_state::update_protection(uint64_t number) {
  if (auto x = index_.find(number))
    protection_.update(number, *x);
}

/// Checks whether the caller may change an observation. A tool may change only what it added itself
/// (contract 6). The input of an open turn cannot be changed from outside, because daemons read it
/// from the page until the turn ends.
caf::error scratch_page_state::may_change(const caller& by, const observation& x) const {
  if (by.outside && x.type == "user_input" && turns_.is_open(x.source.turn_id))
    return fail(errc::forbidden, "observation_id",
      "expected no change of the input of a turn until the turn ends; " + x.source.turn_id
        + " is open");
  if (auto err = check_guarded(by, x))
    return err;
  return write_rules::check_author(x, by);
}

/// The error for an observation that is not on the page. If it was archived a short time ago, no
/// status is allowed any more (contract 2); otherwise its id is unknown.
caf::error scratch_page_state::cannot_find(const update_observation& request) const {
  auto gone = archive_.find(request.observation_id);
  if (!gone || gone->status != status::archived || !request.changes.status)
    return unknown_id(request.observation_id);
  return fail(errc::invalid_transition, "status",
    "archived cannot become " + to_string(*request.changes.status));
}

} // namespace scratchpage
