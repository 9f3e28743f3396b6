#include "scratchpage/actors/page/scratch_page.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/page/page_access.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/persistence/filter_match.hpp"
#include "scratchpage/persistence/query_limit.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t page_component = 1; // in span ids

caf::error unknown_id(const std::string& observation_id) {
  return fail(
    errc::not_found, "observation_id", "no such observation on the page: '" + observation_id + "'");
}

bool is_protected_type(const observation& x) {
  return x.type == "pending_confirmation" || x.type == "alert" || x.type.ends_with("_alert");
}

/// As the index sees it: no status asked for means live ones.
bool still_matches(const observation_filter& filter, const observation& x) {
  return (!filter.status.empty() || is_live(x.status)) && matches(filter, x);
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

template <class T>
caf::result<T> to_result(caf::expected<T> x) {
  if (x)
    return std::move(*x);
  return x.error();
}

caf::result<void> to_result(caf::error err) {
  if (err)
    return err;
  return caf::unit;
}

} // namespace

scratch_page_state::scratch_page_state(handle::pointer self, agent_context agent, page_setup setup)
  : self_{self},
    agent_{std::move(agent)},
    setup_{std::move(setup)},
    trace_{agent_, "scratch_page", page_component},
    types_{setup_.limits.types},
    promotion_{setup_.promotion},
    index_{setup_.text},
    log_{setup_.limits.log_capacity},
    archive_{archive_config{setup_.limits.archive_capacity}},
    turns_{setup_.limits.max_open_turns},
    candidates_{setup_.limits.max_candidates},
    cursors_{setup_.limits.ranked_cursors},
    delivery_{{self, &setup_.limits, &log_, &index_, &agent_, &trace_, [this] { settle(); }}} {
  if (!setup_.journal)
    setup_.journal = std::make_shared<null_journal>();
}

scratch_page_state::handle::behavior_type scratch_page_state::make_behavior() {
  return {
    [this](add_observation& x) -> caf::result<receipt> {
      auto stored = add(x.by, std::move(x.draft));
      settle();
      return answer(std::move(stored));
    },
    [this](add_observations& x) {
      add_outcomes result;
      result.outcomes.reserve(x.drafts.size());
      for (auto& draft : x.drafts) {
        auto stored = add(x.by, std::move(draft));
        result.outcomes.push_back(
          stored ? add_outcome{std::move(*stored), {}} : add_outcome{{}, stored.error()});
      }
      settle();
      return result;
    },
    [this](const query_observations& x) { return to_result(query(x)); },
    [this](const get_observation& x) { return get(x); },
    [this](const get_active_observations& x) { return active(x); },
    [this](update_observation& x) { return to_result(update(std::move(x))); },
    [this](const archive_observation& x) { return to_result(archive_one(x)); },
    [this](const clear_resolved& x) { return to_result(clear(x)); },
    [this](const list_archive& x) { return to_result(archived(x)); },
    [this](subscribe& x) -> caf::result<uint64_t> {
      auto by = x.by;
      auto who = caf::actor_cast<caf::actor>(x.subscriber);
      caf::expected<uint64_t> from = daemons_only(by, "subscribe");
      if (by.role != role::tool)
        from = delivery_.add(std::move(x));
      if (!from) {
        trace_.write_error("subscribe", by, from.error());
        return from.error();
      }
      watch_once(who);
      trace_.write("subscribe", by, {{"from", *from}});
      settle();
      return *from;
    },
    [this](const unsubscribe& x) -> caf::result<void> {
      if (auto err = daemons_only(x.by, "unsubscribe"))
        return refuse("unsubscribe", x.by, err);
      delivery_.remove(x.subscriber.address());
      trace_.write("unsubscribe", x.by);
      settle();
      return caf::unit;
    },
    [this](const register_type& x) { return to_result(add_type(x)); },
    [this](const link_observations& x) { return to_result(link(x)); },
    [this](take_candidates& x) -> caf::result<void> {
      if (auto err = daemons_only(x.by, "take candidates"))
        return refuse("take_candidates", x.by, err);
      cortex_ = std::move(x.cortex);
      trace_.write("take_candidates", x.by);
      settle();
      return caf::unit;
    },
    [this](const review_candidates& x) -> caf::result<uint64_t> {
      if (auto err = daemons_only(x.by, "have candidates reviewed"))
        return refuse("review_candidates", x.by, err);
      uint64_t count = candidates_.retry();
      trace_.write("review_candidates", x.by, {{"candidates", count}});
      settle();
      return count;
    },
    [this](const goal_closed& x) { return to_result(unprotect(x)); },
    [this](caf::get_atom) { return stats(); },
    [this](const open_turn& x) {
      auto err = daemons_only(x.by, "open turns");
      if (!err)
        err = turns_.open(x.by.turn_id);
      trace_.write("open_turn", x.by, {}, err ? name_of(code_of(err)) : "success");
      return to_result(std::move(err));
    },
    [this](const hold_turn& x) { return to_result(hold(x)); },
    [this](const release_turn& x) { return to_result(release(x)); },
    [this](const await_quiet& x) { return wait(x); },
    [this](const close_turn& x) { return to_result(close(x)); },
  };
}

// -- operations ---------------------------------------------------------------------

caf::expected<receipt> scratch_page_state::add(const caller& by, observation_draft draft) {
  auto refused = [&](const caf::error& err) {
    trace_.write_error("add_observation", by, err);
    return err;
  };
  auto started = now();
  auto at = std::max(to_milliseconds(started), last_created_);
  auto accepted = accept(std::move(draft), by, types_, setup_.limits.default_ttl_minutes, at);
  if (!accepted)
    return refused(accepted.error());
  auto& changes = changes_;
  changes.clear();
  if (auto err = make_room(changes))
    return refused(err);
  auto number = last_number_ + 1;
  accepted->value->observation_id = make_id(number, at);
  observation_ptr added{std::move(accepted->value)};
  changes.push_back({event_kind::added, number, added});
  if (trace_.enabled() && !accepted->warnings.empty())
    changes.back().detail["warnings"] = to_json(accepted->warnings);
  if (auto err = commit(changes, by, "add_observation", started))
    return err;
  evicted_ += changes.size() - 1;
  last_number_ = number;
  last_created_ = at;
  return receipt{std::move(added), std::move(accepted->warnings)};
}

/// Makes no message of an answer that nobody waits for.
caf::result<receipt> scratch_page_state::answer(caf::expected<receipt> x) const {
  if (!self_->current_sender())
    return caf::delegated<receipt>{};
  return to_result(std::move(x));
}

caf::expected<query_result> scratch_page_state::query(const query_observations& request) {
  auto started = now();
  auto from = ranked_cursors::from_text(request.cursor);
  auto err = check_limit(request.limit);
  if (!err && !from)
    err = from.error();
  else if (!err && !request.cursor.empty() && from->ranked == is_blank(request.text))
    err = fail(errc::invalid_request, "cursor", "expected a cursor of the same query");
  else if (!err && from->ranked && !cursors_.find(from->order))
    err = fail(errc::invalid_request, "cursor",
      "expected a cursor that is still known; ask again from the start");
  if (err) {
    trace_.write_error("query_observations", request.by, err);
    return err;
  }
  query_result result;
  auto numbers = match(request, *from, result);
  for (auto number : numbers) {
    eviction_.touch(number);
    result.observations.push_back(index_.find(number));
  }
  result.conflicts = contradictions(numbers, request.by);
  result.query_time_ms = in_milliseconds(now() - started);
  if (trace_.enabled())
    trace_.write("query_observations", request.by,
      {{"text", request.text}, {"filter", to_json(request.filter)},
        {"returned", result.observations.size()}, {"total_count", result.total_count},
        {"partial", result.partial}},
      result.partial ? "partial" : "success", started);
  return result;
}

/// One page of the answer; notes the total and where to go on.
std::vector<uint64_t> scratch_page_state::match(
  const query_observations& request, const ranked_cursors::position& from, query_result& result) {
  index_query wanted;
  wanted.filter = &request.filter;
  wanted.text = request.text;
  wanted.limit = request.limit;
  wanted.before = from.before;
  wanted.now = now();
  auto deadline =
    wanted.now + request.deadline.value_or(from_milliseconds(setup_.limits.query_deadline_ms));
  wanted.out_of_time = [this, deadline] { return now() >= deadline; };
  if (is_blank(request.text)) {
    wanted.text = {};
    auto answer = index_.query(wanted);
    result.total_count = answer.total;
    result.partial = answer.partial;
    if (answer.more && !answer.numbers.empty())
      result.next_cursor = ranked_cursors::to_text({.before = answer.numbers.back()});
    return std::move(answer.numbers);
  }
  auto order = index_.ranked(wanted, result.partial, result.total_count);
  auto next = from;
  const auto* kept = &order;
  if (from.ranked) {
    kept = cursors_.find(from.order);
  } else if (order.size() > request.limit) {
    next = {.ranked = true, .order = cursors_.keep(order)};
  }
  // What has left the page, ended or changed since the order was kept is passed over.
  std::vector<uint64_t> numbers;
  auto i = next.offset;
  for (; i < kept->size() && numbers.size() < request.limit; ++i)
    if (auto x = index_.find((*kept)[i]);
        x && x->expires_at > wanted.now && still_matches(request.filter, *x))
      numbers.push_back((*kept)[i]);
  next.offset = i;
  if (i < kept->size())
    result.next_cursor = ranked_cursors::to_text(next);
  return numbers;
}

std::vector<contradiction> scratch_page_state::contradictions(
  std::span<const uint64_t> numbers, const caller& by) {
  std::vector<contradiction> result;
  std::set<uint64_t> told;
  auto at = now();
  for (auto number : numbers) {
    if (told.contains(number))
      continue;
    auto group = index_.contradicting(number, at);
    if (group.empty())
      continue;
    group.push_back(number);
    std::sort(group.begin(), group.end());
    told.insert(group.begin(), group.end());
    contradiction x{index_.subject_of(number), {}};
    for (auto one : group)
      x.observation_ids.push_back(index_.find(one)->observation_id);
    trace_.write("conflict", by,
      {{"subject", x.subject}, {"observation_ids", to_json(x.observation_ids)}}, "conflict");
    result.push_back(std::move(x));
  }
  return result;
}

observation_ptr scratch_page_state::get(const get_observation& request) {
  auto found = find_current(request.observation_id);
  if (found)
    eviction_.touch(*number_of(request.observation_id));
  trace_.write("get_observation", request.by,
    {{"observation_id", request.observation_id}, {"found", static_cast<bool>(found)}});
  return found;
}

observation_list scratch_page_state::active(const get_active_observations& request) {
  observation_list result{index_.by_priority(now(), setup_.weights)};
  trace_.write("get_active_observations", request.by, {{"returned", result.observations.size()}});
  return result;
}

caf::expected<receipt> scratch_page_state::update(update_observation request) {
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
  auto stale = request.expected_revision && *request.expected_revision != current->revision;
  if (stale && request.on_conflict == on_conflict::reject)
    return refused(fail(errc::conflict, "expected_revision",
      "expected " + std::to_string(current->revision) + ", the current revision"));
  auto next = scratchpage::apply(*current, std::move(request.changes),
    setup_.limits.default_ttl_minutes, to_milliseconds(now()));
  if (!next)
    return refused(next.error());
  auto kind = next->value->status == status::archived ? event_kind::archived : event_kind::updated;
  change updated{kind, *number_of(request.observation_id), observation_ptr{std::move(next->value)}};
  if (trace_.enabled() && !next->warnings.empty())
    updated.detail["warnings"] = to_json(next->warnings);
  if (stale)
    updated.detail["overwritten_revision"] = current->revision;
  if (auto err = commit({&updated, 1}, request.by, "update_observation", now()))
    return err;
  if (stale)
    trace_.write("conflict", request.by,
      {{"observation_id", request.observation_id}, {"lost_revision", current->revision},
        {"lost_content", current->content}},
      "conflict");
  settle();
  return receipt{std::move(updated.after), std::move(next->warnings)};
}

caf::error scratch_page_state::archive_one(const archive_observation& request) {
  auto current = find_current(request.observation_id);
  auto err = current ? may_change(request.by, *current) : unknown_id(request.observation_id);
  if (err) {
    trace_.write_error(
      "archive_observation", request.by, err, {{"observation_id", request.observation_id}});
    return err;
  }
  auto x = *current;
  x.status = status::archived;
  x.updated_at = to_milliseconds(now());
  ++x.revision;
  change archived{
    event_kind::archived, *number_of(request.observation_id), observation_ptr{std::move(x)}};
  err = commit({&archived, 1}, request.by, "archive_observation", now());
  settle();
  return err;
}

caf::error scratch_page_state::clear(const clear_resolved& request) {
  std::vector<change> changes;
  caf::error err = daemons_only(request.by, "clear what is resolved");
  for (const auto& id : request.observation_ids) {
    if (err)
      break;
    auto current = find_current(id);
    if (!current) {
      err = unknown_id(id);
    } else if (current->status != status::resolved) {
      err = fail(errc::invalid_transition, "observation_ids",
        "expected resolved ones only; " + id + " is " + to_string(current->status));
    } else if (std::none_of(changes.begin(), changes.end(),
                 [&](const change& x) { return x.after->observation_id == id; })) {
      auto x = *current;
      x.status = status::archived;
      x.updated_at = to_milliseconds(now());
      ++x.revision;
      changes.push_back({event_kind::archived, *number_of(id), observation_ptr{std::move(x)}});
    }
  }
  if (err) {
    trace_.write_error("clear_resolved", request.by, err);
    return err;
  }
  err = commit(changes, request.by, "clear_resolved", now());
  settle();
  return err;
}

caf::expected<query_result> scratch_page_state::archived(const list_archive& request) {
  auto started = now();
  auto result = archive_.list(request.filter, request.limit, request.cursor);
  if (!result) {
    trace_.write_error("list_archive", request.by, result.error());
    return result;
  }
  result->query_time_ms = in_milliseconds(now() - started);
  trace_.write("list_archive", request.by, {{"returned", result->observations.size()}});
  return result;
}

caf::error scratch_page_state::add_type(const register_type& request) {
  auto err = request.by.role == role::admin
               ? types_.add(request.type)
               : fail(errc::forbidden, "by.role", "only an admin may register a type");
  if (err)
    trace_.write_error("register_type", request.by, err, {{"type", request.type}});
  else
    trace_.write("register_type", request.by, {{"type", request.type}});
  return err;
}

caf::expected<linked_observations> scratch_page_state::link(const link_observations& request) {
  if (auto err = daemons_only(request.by, "link observations"))
    return refuse("link_observation", request.by, err);
  linked_observations result;
  std::vector<change> changes;
  for (const auto& id : request.observation_ids) {
    auto current = find_current(id);
    const auto& named = result.observation_ids;
    if (!current || std::find(named.begin(), named.end(), id) != named.end())
      continue;
    result.observation_ids.push_back(id);
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
    changes.push_back({event_kind::linked, *number_of(id), observation_ptr{std::move(x)},
      {{"goal_id", request.goal_id}}});
  }
  auto operation = request.undo ? "unlink_observation" : "link_observation";
  if (auto err = commit(changes, request.by, operation, now()))
    return err;
  for (const auto& x : changes) {
    auto& evidence = protected_by_goal_[request.goal_id];
    if (request.undo) {
      evidence.erase(x.number);
      unprotect(x.number);
    } else {
      evidence.insert(x.number);
      eviction_.protect(x.number, true);
    }
    if (evidence.empty())
      protected_by_goal_.erase(request.goal_id);
  }
  settle();
  return result;
}

caf::error scratch_page_state::unprotect(const goal_closed& request) {
  if (auto err = daemons_only(request.by, "close goals"))
    return refuse("goal_closed", request.by, err);
  auto node = protected_by_goal_.extract(request.goal_id);
  auto numbers = node.empty() ? std::set<uint64_t>{} : std::move(node.mapped());
  trace_.write(
    "goal_closed", request.by, {{"goal_id", request.goal_id}, {"observations", numbers.size()}});
  for (auto number : numbers)
    unprotect(number);
  return {};
}

/// Lets it be evicted again, unless there is another reason not to.
void scratch_page_state::unprotect(uint64_t number) {
  if (auto x = index_.find(number); x && !is_protected(*x))
    eviction_.protect(number, false);
}

page_stats scratch_page_state::stats() const {
  page_stats result;
  result.sequence = log_.next() - 1;
  result.oldest_sequence = log_.oldest();
  result.observations = index_.size();
  result.live = index_.live();
  result.archived = archive_.size();
  result.subscribers = delivery_.size();
  result.open_turns = turns_.size();
  result.expired = expired_;
  result.evicted = evicted_;
  return result;
}

// -- helpers ----------------------------------------------------------------------------

timestamp scratch_page_state::now() const {
  return agent_.clock->now();
}

std::string scratch_page_state::make_id(uint64_t number, timestamp at) {
  // The date's text is made once a day; the rest is on the path of every add.
  if (auto day = std::chrono::floor<std::chrono::days>(at); id_prefix_.empty() || day != id_day_) {
    id_day_ = day;
    id_prefix_ = "obs_" + to_yyyymmdd(at) + "_";
  }
  std::string id;
  id.reserve(id_prefix_.size() + 12);
  id = id_prefix_;
  append_number(id, number);
  return id;
}

observation_ptr scratch_page_state::find_current(const std::string& observation_id) const {
  auto number = number_of(observation_id);
  auto found = number ? index_.find(*number) : observation_ptr{};
  if (!found || found->observation_id != observation_id || found->expires_at <= now())
    return {};
  return found;
}

/// Traces why an operation was refused, and gives that back.
caf::error scratch_page_state::refuse(
  std::string_view operation, const caller& by, const caf::error& err) {
  trace_.write_error(operation, by, err);
  return err;
}

/// A tool may change only what it added itself (contract 6).
caf::error scratch_page_state::may_change(const caller& by, const observation& x) const {
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

/// Never evicted (contract 13): what is still to be answered or heeded, and the
/// evidence of an open goal.
bool scratch_page_state::is_protected(const observation& x) const {
  auto is_open = [this](const std::string& id) { return protected_by_goal_.contains(id); };
  return (is_protected_type(x) && is_live(x.status))
         || std::any_of(x.linked_goal_ids.begin(), x.linked_goal_ids.end(), is_open);
}

void scratch_page_state::watch_once(const caf::actor& who) {
  if (watched_.insert(who.address()).second)
    watch(self_, who, [this](const caf::actor_addr& down) { on_down(down); });
}

void scratch_page_state::on_down(const caf::actor_addr& who) {
  watched_.erase(who);
  delivery_.remove(who);
  std::erase_if(waiting_, [&](const auto& x) {
    if (x.second.asker != who)
      return false;
    turns_.forget(x.first);
    return true;
  });
  if (auto node = holders_.extract(who); !node.empty())
    for (const auto& holder : node.mapped())
      turns_.release_all(holder);
  settle();
}

} // namespace scratchpage
