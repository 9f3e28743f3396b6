#include "scratchpage/actors/page/scratch_page.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/page/page_access.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/messages/observation_size.hpp"
#include "scratchpage/persistence/privacy/purger.hpp"
#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t page_component = 1; // in span ids

/// Of those that left the page, when storage has them: enough to tell who changes
/// one that it has just been archived.
constexpr uint64_t archived_in_mind = 1'000;

caf::error unknown_id(const std::string& id, std::string_view field = "observation_id") {
  return fail(errc::not_found, field, "no such observation on the page: '" + id + "'");
}

bool is_protected_type(const observation& x) {
  return x.type == "pending_confirmation" || x.type == "alert" || x.type.ends_with("_alert");
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

template <class T>
caf::result<T> answer_of(T&& x) {
  return std::forward<T>(x);
}

template <class T>
caf::result<T> answer_of(caf::unit_t) {
  return caf::unit;
}

template <class T>
void deliver(caf::typed_response_promise<T>& answer, T x) {
  answer.deliver(std::move(x));
}

void deliver(caf::typed_response_promise<void>& answer, caf::unit_t) {
  answer.deliver();
}

// Which observations a request is about; one that adds is about none.
std::span<const std::string> ids_in(const add_observation&) {
  return {};
}

std::span<const std::string> ids_in(const update_observation& x) {
  return {&x.observation_id, 1};
}

std::span<const std::string> ids_in(const archive_observation& x) {
  return {&x.observation_id, 1};
}

std::span<const std::string> ids_in(const clear_resolved& x) {
  return x.observation_ids;
}

std::span<const std::string> ids_in(const link_observations& x) {
  return x.observation_ids;
}

} // namespace

scratch_page_state::scratch_page_state(handle::pointer self, agent_context agent, page_setup setup)
  : self_{self},
    agent_{std::move(agent)},
    setup_{std::move(setup)},
    trace_{agent_, "scratch_page", page_component},
    types_{setup_.limits.types},
    writers_{setup_.limits.tool_types},
    promotion_{setup_.promotion},
    index_{setup_.text},
    log_{setup_.limits.log_capacity, setup_.limits.log_bytes},
    archive_{{setup_.archive ? archived_in_mind : setup_.limits.archive_capacity,
      setup_.limits.archive_bytes}},
    turns_{setup_.limits.max_open_turns, setup_.limits.turn_bytes},
    candidates_{setup_.limits.max_candidates},
    cursors_{setup_.limits.ranked_cursors},
    positions_{setup_.limits.max_positions},
    delivery_{{self, &setup_.limits, &log_, &index_, &agent_, &trace_, &positions_,
      [this] { settle(); }, setup_.owner.epoch,
      setup_.recovered ? setup_.recovered->epochs : std::map<uint64_t, uint64_t>{}}} {
  if (!setup_.journal)
    setup_.durability.durability = durability::none;
  if (setup_.recovered)
    restore(*setup_.recovered);
}

scratch_page_state::handle::behavior_type scratch_page_state::make_behavior() {
  using self = scratch_page_state;
  if (auto recovered = std::exchange(setup_.recovered, nullptr))
    resume(*recovered);
  return {
    [this](add_observation& x) { return carry_out<receipt>(x, &self::plan_add); },
    [this](add_observations& x) { return add_all(x); },
    [this](const query_observations& x) { return to_result(query(x)); },
    [this](const get_observation& x) { return get(x); },
    [this](const get_active_observations& x) { return to_result(active(x)); },
    [this](update_observation& x) { return carry_out<receipt>(x, &self::plan_update); },
    [this](archive_observation& x) { return carry_out<void>(x, &self::plan_archive); },
    [this](clear_resolved& x) { return carry_out<void>(x, &self::plan_clear); },
    [this](list_archive& x) { return archived(x); },
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
      delivery_.cancel(x.subscriber.address());
      trace_.write("unsubscribe", x.by);
      settle();
      return caf::unit;
    },
    [this](const register_type& x) { return add_type(x); },
    [this](link_observations& x) { return carry_out<linked_observations>(x, &self::plan_link); },
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
    [this](const list_subscribers& x) -> caf::result<subscriber_list> {
      if (auto err = daemons_only(x.by, "list subscribers"))
        return err;
      return subscriber_list{log_.next() - 1, delivery_.states()};
    },
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
    [this](const close_turn& x) { return close(x); },
    [this](const purge_observations& x) { return to_result(purge(x)); },
  };
}

// -- operations ---------------------------------------------------------------------

/// Does what `prepare` makes of the request, now or once storage has it.
template <class T, class Request>
caf::result<T> scratch_page_state::carry_out(Request& x, planner<T, Request> prepare) {
  if (!is_visible_at_once()) {
    auto answer = self_->make_response_promise<T>();
    attempt<T>(std::move(x), prepare, answer);
    settle();
    return answer;
  }
  auto todo = (this->*prepare)(x);
  if (!todo) {
    settle();
    return todo.error();
  }
  commit_at_once(todo->todo, x.by, todo->operation);
  if (todo->afterwards)
    todo->afterwards();
  settle();
  if (!self_->current_sender()) // no message is made of an answer that nobody waits for
    return caf::delegated<T>{};
  return answer_of<T>(std::move(todo->answer));
}

template <class T, class Request>
void scratch_page_state::attempt(
  Request x, planner<T, Request> prepare, caf::typed_response_promise<T> answer) {
  if (auto busy = busy_one(ids_in(x))) {
    park(*busy, [this, x = std::move(x), prepare, answer]() mutable {
      attempt<T>(std::move(x), prepare, answer);
    });
    return;
  }
  auto todo = (this->*prepare)(x);
  if (!todo) {
    answer.deliver(todo.error());
    return;
  }
  auto finish = [answer, said = std::move(todo->answer), afterwards = std::move(todo->afterwards)](
                  const caf::error& err) mutable {
    if (!err && afterwards)
      afterwards();
    if (err)
      answer.deliver(err);
    else
      deliver(answer, std::move(said));
  };
  commit(std::move(todo->todo), x.by, todo->operation, std::move(finish));
}

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
  plan<receipt> result{"add_observation", {}, {}};
  auto err = check_unsaved();
  if (!err)
    err = check_share(*accepted->value, request.by);
  if (!err)
    err = make_room(result.todo, 1, static_cast<int64_t>(memory_of(*accepted->value)));
  if (err)
    return refuse("add_observation", request.by, err);
  accepted->value->observation_id = make_id(++last_number_, at);
  observation_ptr added{std::move(accepted->value)};
  result.todo.push_back({event_kind::added, last_number_, added});
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
  by.turn_id = claim->turn_id;
  return {};
}

/// A type that nobody knows is refused as such, whoever names it.
caf::error scratch_page_state::check_writer(const add_observation& request) const {
  return types_.knows(request.draft.type) ? writers_.check(request.draft, request.by)
                                          : caf::error{};
}

/// What is never evicted is for a source from outside to have only so much of.
caf::error scratch_page_state::check_share(const observation& x, const caller& by) {
  const auto& limits = setup_.limits;
  auto share = shares_.of(x.source);
  if (!by.outside || !is_protected_type(x))
    return {};
  if (eviction_.protected_of(share) >= limits.max_protected_per_source)
    return fail(errc::overloaded, "type",
      "expected at most " + std::to_string(limits.max_protected_per_source)
        + " open questions and alerts of " + by.name + "; resolve some first");
  if (shares_.bytes(share) + memory_of(x) > limits.max_bytes_per_source)
    return fail(errc::overloaded, "content",
      "expected at most " + std::to_string(limits.max_bytes_per_source) + " bytes of " + by.name
        + " with its open questions and alerts; resolve some first");
  return {};
}

/// Every queue is bounded, also that of changes which storage has not taken yet.
caf::error scratch_page_state::check_unsaved() const {
  if (not_visible_ < setup_.durability.max_unsaved)
    return {};
  return fail(errc::overloaded, "max_unsaved",
    "expected at most " + std::to_string(setup_.durability.max_unsaved)
      + " changes on their way to storage");
}

caf::result<add_outcomes> scratch_page_state::add_all(add_observations& request) {
  struct gathering {
    add_outcomes result;
    size_t missing;
    caf::typed_response_promise<add_outcomes> answer;

    void done() {
      if (--missing == 0)
        answer.deliver(std::move(result));
    }
  };
  auto all = std::make_shared<gathering>();
  all->answer = self_->make_response_promise<add_outcomes>();
  all->result.outcomes.resize(request.drafts.size());
  all->missing = request.drafts.size() + 1;
  for (size_t i = 0; i < request.drafts.size(); ++i) {
    add_observation one{request.by, std::move(request.drafts[i])};
    auto todo = plan_add(one);
    if (!todo) {
      all->result.outcomes[i].error = todo.error();
      all->done();
      continue;
    }
    auto finish = [all, i, said = std::move(todo->answer)](const caf::error& err) mutable {
      auto& outcome = all->result.outcomes[i];
      if (err)
        outcome.error = err;
      else
        outcome.stored = std::move(said);
      all->done();
    };
    commit(std::move(todo->todo), one.by, todo->operation, std::move(finish));
  }
  all->done();
  settle();
  return all->answer;
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
  auto kind = next->value->status == status::archived ? event_kind::archived : event_kind::updated;
  observation_ptr after{std::move(next->value)};
  change updated{kind, *number_of(request.observation_id), after};
  if (trace_.enabled() && !next->warnings.empty())
    updated.detail["warnings"] = to_json(next->warnings);
  if (stale)
    updated.detail["overwritten_revision"] = current->revision;
  plan<receipt> result{"update_observation", {}, {after, std::move(next->warnings)}};
  auto growth = growth_by(updated, memory_of(*after));
  if (growth > 0)
    if (auto err = make_room(result.todo, 0, growth, updated.number))
      return refused(err);
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
    else if (seen.insert(id).second)
      result.todo.push_back(archive_of(*number_of(id)));
  }
  if (err)
    return refuse("clear_resolved", request.by, err);
  return result;
}

caf::result<void> scratch_page_state::add_type(const register_type& request) {
  auto err = request.by.role == role::admin
               ? types_.check(request.type)
               : fail(errc::forbidden, "by.role", "only an admin may register a type");
  if (err) {
    trace_.write_error("register_type", request.by, err, {{"type", request.type}});
    return err;
  }
  auto add = [this, by = request.by, type = request.type] {
    std::ignore = types_.add(type);
    trace_.write("register_type", by, {{"type", type}});
  };
  if (setup_.durability.durability == durability::none) {
    add();
    return caf::unit;
  }
  auto answer = self_->make_response_promise<void>();
  keep_documents kept{setup_.owner.agent, setup_.owner.epoch, setup_.owner.claim,
    {{std::string{collection::types}, request.type, to_text(json::value(request.type))}}};
  ask(self_, setup_.journal, from_milliseconds(setup_.durability.save_ms), std::move(kept))
    .then(
      [answer, add]() mutable {
        add();
        answer.deliver();
      },
      [this, answer, by = request.by, type = request.type](const caf::error& failed) mutable {
        auto unavailable = fail(errc::storage_unavailable, "", describe(failed));
        trace_.write_error("register_type", by, unavailable, {{"type", type}});
        answer.deliver(unavailable);
      });
  return answer;
}

/// They are not on the page any more; the log and the archive still tell of them.
caf::error scratch_page_state::purge(const purge_observations& request) {
  if (auto err = daemons_only(request.by, "purge what is archived"))
    return refuse("purge_observations", request.by, err);
  purger what{request};
  log_.revise([&](page_event& x) { return what.purge(x); });
  for (const auto& id : request.observation_ids)
    archive_.forget(id);
  trace_.write(
    "purge_observations", request.by, {{"observations", request.observation_ids.size()}});
  return {};
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
