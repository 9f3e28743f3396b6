#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "scratchpage/actors/page/page_access.hpp"
#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/messages/observation_size.hpp"

/// What a request would change, or why it is refused: who may, and whether there is room.

namespace scratchpage {

namespace {

caf::error unknown_id(const std::string& id, std::string_view field = "observation_id") {
  return fail(errc::not_found, field, "no such observation on the page: '" + id + "'");
}

} // namespace

caf::expected<scratch_page_state::plan<receipt>> scratch_page_state::plan_add(
  add_observation& request) {
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
  accepted->value->observation_id = make_id(last_number_ + 1, at);
  auto bytes = memory_of(*accepted->value);
  plan<receipt> result{"add_observation", {}, {}};
  auto err = check_unsaved();
  if (!err)
    err = check_share(*accepted->value, bytes, request.by);
  if (!err)
    err = make_room(result.todo, 1, static_cast<int64_t>(bytes));
  if (err)
    return refuse("add_observation", request.by, err);
  observation_ptr added{std::move(accepted->value)};
  result.todo.push_back({event_kind::added, ++last_number_, added, {}, {}, bytes});
  result.todo.back().is_from_outside = request.by.outside && request.by.role != role::tool;
  turns_.count_addition(request.by.turn_id, request.by);
  if (is_protected_type(*added))
    note_protected(result.todo.back(), request.by);
  if (trace_.enabled() && !accepted->warnings.empty())
    result.todo.back().detail["warnings"] = to_json(accepted->warnings);
  result.answer = {std::move(added), std::move(accepted->warnings)};
  return result;
}

/// Who works outside of turns may claim one for what it adds; it has to be open.
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

/// A type that nobody knows is refused as such, whoever names it.
caf::error scratch_page_state::check_writer(const add_observation& request) const {
  auto err = writers_.check(request.draft, request.by);
  return err && types_.knows(request.draft.type) ? err : caf::error{};
}

/// Every queue is bounded, also that of changes which storage has not taken yet.
caf::error scratch_page_state::check_unsaved() const {
  if (not_visible_ < setup_.durability.max_unsaved)
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
  if (!current)
    return refused(cannot_find(request));
  if (auto err = may_change(request.by, *current))
    return refused(err);
  if (auto err = write_rules::check(*current, request.changes, request.by))
    return refused(err);
  auto stale = request.expected_revision && *request.expected_revision != current->revision;
  if (stale && request.on_conflict == on_conflict::reject)
    return refused(fail(errc::conflict, "expected_revision",
      "expected " + std::to_string(current->revision) + ", the current revision"));
  if (setup_.masker) {
    if (auto err = check_sizes(request.changes))
      return refused(err);
    setup_.masker->mask(request.changes);
  }
  auto next = scratchpage::apply(*current, std::move(request.changes), request.by,
    setup_.limits.default_ttl_minutes, to_milliseconds(now()));
  if (!next)
    return refused(next.error());
  if (auto err = write_rules::check_life(*current, *next->value, request.by))
    return refused(err);
  auto kind = next->value->status == status::archived ? event_kind::archived : event_kind::updated;
  observation_ptr after{std::move(next->value)};
  change updated{kind, *number_of(request.observation_id), after, {}, {}, memory_of(*after)};
  if (trace_.enabled() && !next->warnings.empty())
    updated.detail["warnings"] = to_json(next->warnings);
  if (stale)
    updated.detail["overwritten_revision"] = current->revision;
  plan<receipt> result{"update_observation", {}, {after, std::move(next->warnings)}};
  share_of(current->source, request.by); // a change may make it a candidate for a goal
  auto growth = growth_by(updated, updated.bytes);
  if (growth > 0) {
    auto err = check_growth(updated, *current, growth, request.by);
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

/// What the ensemble put into a turn is not touched from outside until the turn ends.
caf::error scratch_page_state::check_guarded(
  const caller& by, const observation& x, std::string_view field) const {
  auto number = number_of(x.observation_id);
  if (!number || !turns_.is_guarded(*number, x, by))
    return {};
  return fail(errc::forbidden, field,
    "expected what the ensemble put into a turn to stay as it is until the turn ends; "
      + x.observation_id + " is of " + x.source.turn_id + ", which is open");
}

/// How an observation of the page leaves it for the archive.
scratch_page_state::change scratch_page_state::archive_of(uint64_t number) const {
  auto x = *index_.find(number);
  x.status = status::archived;
  x.updated_at = to_milliseconds(now());
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
  result.todo.push_back(archive_of(*number_of(request.observation_id)));
  return result;
}

caf::expected<scratch_page_state::plan<caf::unit_t>> scratch_page_state::plan_clear(
  clear_resolved& request) {
  plan<caf::unit_t> result{"clear_resolved", {}};
  caf::error err = daemons_only(request.by, "clear what is resolved");
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
        "expected resolved ones only; " + id + " is " + to_string(current->status));
    else if (auto guarded = check_guarded(request.by, *current, "observation_ids"))
      err = std::move(guarded);
    else if (seen.insert(id).second)
      result.todo.push_back(archive_of(*number_of(id)));
  }
  if (err)
    return refuse("clear_resolved", request.by, err);
  return result;
}

/// A tool may change only what it added itself (contract 6). Daemons read a turn's input from the
/// page until it ends: whoever took it away meanwhile would keep it from being heard.
caf::error scratch_page_state::may_change(const caller& by, const observation& x) const {
  if (by.outside && x.type == "user_input" && turns_.is_open(x.source.turn_id))
    return fail(errc::forbidden, "observation_id",
      "expected the input of a turn to stay as it is until the turn ends; " + x.source.turn_id
        + " is open");
  if (auto err = check_guarded(by, x))
    return err;
  if (by.role != role::tool || (x.source.kind == source_kind::tool && x.source.name == by.name))
    return {};
  return fail(errc::forbidden, "observation_id",
    "a tool may change only what it added itself; " + x.observation_id + " is from "
      + x.source.name);
}

/// Why there is nothing to update: the archive still knows what was archived,
/// and that no status leads out of it (contract 2).
caf::error scratch_page_state::cannot_find(const update_observation& request) const {
  auto gone = archive_.find(request.observation_id);
  if (!gone || gone->status != status::archived || !request.changes.status)
    return unknown_id(request.observation_id);
  return fail(errc::invalid_transition, "status",
    "archived cannot become " + to_string(*request.changes.status));
}

} // namespace scratchpage
