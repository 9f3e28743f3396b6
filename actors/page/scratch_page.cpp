#include "scratchpage/actors/page/scratch_page.hpp"

#include <map>
#include <utility>

#include "scratchpage/actors/page/write_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/privacy/purger.hpp"
#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t page_component = 1; // component::scratch_page in actors/base/daemon.hpp

/// Size of the archive in memory if there is a stored archive. It serves the error for a change of
/// an observation that was archived a short time ago.
constexpr uint64_t recently_archived = 1'000;

template <class T>
caf::result<T> to_result(caf::expected<T> x) {
  if (x)
    return std::move(*x);
  return x.error();
}

/// Without a journal the durability is `none`.
page_setup as_possible(page_setup x) {
  if (!x.journal)
    x.durability.durability = durability::none;
  return x;
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

/// The answer that a request with a key got before.
template <class T>
auto said_before(const request_keys::known& x) {
  if constexpr (std::is_same_v<T, receipt>)
    return receipt{x.observation, x.warnings};
  else if constexpr (std::is_void_v<T>)
    return caf::unit;
  else
    return T{}; // of requests that have no keys
}

/// Keeps the warnings of an answer in the mark of its request.
template <class T>
void keep_warnings(const T& answer, request_mark& mark) {
  if constexpr (std::is_same_v<T, receipt>)
    mark.warnings = answer.warnings;
}

// The ids of the observations that a request changes.
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
    setup_{as_possible(std::move(setup))},
    trace_{agent_, "scratch_page", page_component},
    types_{setup_.limits.types},
    writers_{setup_.limits.tool_types},
    promotion_{setup_.promotion},
    index_{setup_.text},
    log_{setup_.limits.log_capacity, setup_.limits.log_bytes},
    keys_{setup_.limits.log_capacity, setup_.limits.log_bytes},
    archive_{{setup_.archive ? recently_archived : setup_.limits.archive_capacity,
      setup_.limits.archive_bytes}},
    turns_{setup_.limits.max_open_turns, setup_.limits.turn_bytes},
    candidates_{setup_.limits.max_candidates},
    cursors_{setup_.limits.ranked_cursors},
    positions_{setup_.limits.max_positions},
    delivery_{{self, &setup_.limits, &log_, &index_, &agent_, &trace_, &positions_,
      [this] { settle(); }, setup_.owner.epoch,
      setup_.recovered ? setup_.recovered->epochs : std::map<uint64_t, uint64_t>{}}},
    commits_{setup_.durability},
    timer_{agent_.clock},
    memory_{setup_.memory} {
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
    [this](query_observations& x) {
      return read_or_wait<query_result>("query_observations", x, &self::query);
    },
    [this](const get_observation& x) { return get(x); },
    [this](get_active_observations& x) {
      return read_or_wait<query_result>("get_active_observations", x, &self::active);
    },
    [this](update_observation& x) { return carry_out<receipt>(x, &self::plan_update); },
    [this](archive_observation& x) { return carry_out<void>(x, &self::plan_archive); },
    [this](clear_resolved& x) { return carry_out<void>(x, &self::plan_clear); },
    [this](list_archive& x) {
      return setup_.archive ? ask_archive(x)
                            : read_or_wait<query_result>("list_archive", x, &self::list_archived);
    },
    [this](subscribe& x) { return read_or_wait<uint64_t>("subscribe", x, &self::add_subscriber); },
    [this](const unsubscribe& x) -> caf::result<void> {
      if (auto err = daemons_only(x.by, "unsubscribe"))
        return refuse("unsubscribe", x.by, err);
      delivery_.cancel(x.subscriber.address());
      if (x.by.name != stand_in_name)
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
      if (!std::exchange(returning_.is_cortex, false))
        trace_.write("take_candidates", x.by);
      settle();
      return caf::unit;
    },
    [this](const review_candidates& x) -> caf::result<uint64_t> {
      if (auto err = daemons_only(x.by, "review candidates"))
        return refuse("review_candidates", x.by, err);
      uint64_t count = candidates_.retry(setup_.limits.max_reviewed);
      trace_.write("review_candidates", x.by, {{"candidates", count}});
      settle();
      return count;
    },
    [this](const goal_closed& x) { return to_result(close_goal(x)); },
    [this](caf::get_atom) { return stats(); },
    [this](const list_subscribers& x) -> caf::result<subscriber_list> {
      if (auto err = daemons_only(x.by, "list subscribers"))
        return err;
      return subscriber_list{log_.next() - 1, delivery_.states()};
    },
    [this](const rest_check& x) { return check_rest(x); },
    [this](const open_turn& x) { return to_result(open(x)); },
    [this](const hold_turn& x) { return to_result(hold(x)); },
    [this](const release_turn& x) { return to_result(release(x)); },
    [this](const await_quiet& x) { return wait(x); },
    [this](const read_turn& x) { return tell(x); },
    [this](const close_turn& x) { return close(x); },
    [this](const purge_observations& x) { return to_result(purge(x)); },
  };
}

// -- operations ---------------------------------------------------------------------

/// Applies the changes at once, or, if they have to be stored first, when that is done.
template <class T, class Request>
caf::result<T> scratch_page_state::carry_out(Request& x, planner<T, Request> prepare) {
  if (!commits_.is_visible_at_once() || !x.by.request_key.empty()) {
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
  if (!self_->current_sender()) // nobody waits for an answer, so no message is made of it
    return caf::delegated<T>{};
  return answer_of<T>(std::move(todo->answer));
}

template <class T, class Request>
void scratch_page_state::attempt(
  Request x, planner<T, Request> prepare, caf::typed_response_promise<T> answer) {
  if (auto busy = commits_.first_busy(ids_in(x))) {
    commits_.park(*busy, [this, x = std::move(x), prepare, answer]() mutable {
      attempt<T>(std::move(x), prepare, answer);
    });
    return;
  }
  auto mark = this->mark(x);
  auto known = look_up(mark);
  if (!known) {
    answer.deliver(known.error());
    return;
  }
  if (*known != nullptr && (*known)->is_under_way()) {
    keys_.wait(mark, [this, x = std::move(x), prepare, answer]() mutable {
      attempt<T>(std::move(x), prepare, answer);
    });
    return;
  }
  if (*known != nullptr) {
    trace_repeated(mark, **known, x.by);
    deliver(answer, said_before<T>(**known));
    return;
  }
  auto todo = (this->*prepare)(x);
  if (!todo) {
    answer.deliver(todo.error());
    return;
  }
  keep_warnings(todo->answer, mark);
  begin_request(todo->todo, mark);
  auto finish = [this, answer, said = std::move(todo->answer),
                  afterwards = std::move(todo->afterwards),
                  mark = std::move(mark)](const caf::error& err) mutable {
    if (!err && afterwards)
      afterwards();
    if (err)
      answer.deliver(err);
    else
      deliver(answer, std::move(said));
    end_request(mark, err);
  };
  commit(std::move(todo->todo), x.by, todo->operation, std::move(finish));
}

template <class T, class Request>
caf::result<T> scratch_page_state::read_or_wait(
  std::string_view operation, Request& x, reader<T, Request> read) {
  if (!x.by.outside)
    return to_result((this->*read)(x));
  if (!reads_.gives_way()) {
    auto begun = agent_.clock->steady();
    auto found = (this->*read)(x);
    note_read(begun);
    return to_result(std::move(found));
  }
  if (!reads_.has_room_for(x.by))
    return refuse(operation, x.by,
      fail(errc::overloaded, "",
        "expected at most " + std::to_string(query_limits::waiting) + " requests of "
          + principal_of(x.by) + " that wait for the page"));
  auto answer = self_->make_response_promise<T>();
  auto by = x.by;
  reads_.add(by, [this, x = std::move(x), read, answer]() mutable {
    auto found = (this->*read)(x);
    if (found)
      answer.deliver(std::move(*found));
    else
      answer.deliver(found.error());
  });
  return answer;
}

caf::expected<uint64_t> scratch_page_state::add_subscriber(subscribe& request) {
  auto by = request.by;
  auto who = caf::actor_cast<caf::actor>(request.subscriber);
  caf::expected<uint64_t> from = daemons_only(by, "subscribe");
  if (by.role != role::tool)
    from = delivery_.add(std::move(request));
  if (!from) {
    trace_.write_error("subscribe", by, from.error());
    return from;
  }
  watch_once(who);
  if (!returning_.take(by) && by.name != stand_in_name)
    trace_.write("subscribe", by, {{"from", *from}});
  settle();
  return from;
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
  ++registering_;
  keep_documents kept{setup_.owner.agent, setup_.owner.epoch, setup_.owner.claim,
    {{std::string{collection::types}, request.type, to_text(json::value(request.type))}}};
  ask(self_, setup_.journal, from_milliseconds(setup_.durability.save_ms), std::move(kept))
    .then(
      [this, answer, add]() mutable {
        --registering_;
        add();
        answer.deliver();
      },
      [this, answer, by = request.by, type = request.type](const caf::error& failed) mutable {
        --registering_;
        auto unavailable = fail(errc::storage_unavailable, "", describe(failed));
        trace_.write_error("register_type", by, unavailable, {{"type", type}});
        answer.deliver(unavailable);
      });
  return answer;
}

/// Purges observations that have left the page from the log and from the archive in memory.
caf::error scratch_page_state::purge(const purge_observations& request) {
  if (auto err = daemons_only(request.by, "purge archived observations"))
    return refuse("purge_observations", request.by, err);
  purger what{request};
  log_.revise([&](page_event& x) { return what.purge(x); });
  keys_.revise([&](observation_ptr& x) { return what.purge(x); });
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

observation_ptr scratch_page_state::find_current(const std::string& observation_id) const {
  auto number = number_of(observation_id);
  auto found = number ? index_.find(*number) : observation_ptr{};
  if (!found || found->observation_id != observation_id || found->expires_at <= now())
    return {};
  return found;
}

/// Traces the error of a refused operation, and returns it.
caf::error scratch_page_state::refuse(
  std::string_view operation, const caller& by, const caf::error& err) {
  trace_.write_error(operation, by, err);
  return err;
}

void scratch_page_state::watch_once(const caf::actor& who) {
  if (watched_.insert(who.address()).second)
    watch(self_, who, [this](const caf::actor_addr& down) { on_down(down); });
}

void scratch_page_state::on_down(const caf::actor_addr& who) {
  watched_.erase(who);
  delivery_.remove(who);
  auto left = waiters_.remove(who);
  for (auto token : left.tokens)
    turns_.forget(token);
  for (const auto& holder : left.holders)
    turns_.release_all(holder);
  settle();
}

} // namespace scratchpage
