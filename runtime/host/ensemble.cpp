#include "scratchpage/runtime/host/ensemble.hpp"

#include <utility>
#include <vector>

#include <caf/actor_cast.hpp>
#include <caf/event_based_actor.hpp>

#include "scratchpage/runtime/host/ensemble_calls.hpp"
#include "scratchpage/runtime/host/ensemble_members.hpp"

namespace scratchpage {

namespace {

/// A roll call ends at its own deadline. The caller waits a little longer for its answer.
constexpr timespan grace = std::chrono::seconds{1};

/// The most events that a function gets in one batch. The page waits for the whole batch.
constexpr uint64_t events_at_once = 16;

caller of_program() {
  return as_daemon("program");
}

caf::error nobody() {
  return fail(errc::invalid_request, "by", "expected a caller with a name");
}

/// Makes a request without a caller the program's own. A caller of another kind than the default
/// was set, and lacks its name.
template <class Request>
caf::error check_caller(Request& x) {
  if (!x.by.name.empty())
    return {};
  if (x.by.kind != caller{}.kind || x.by.role != caller{}.role)
    return nobody();
  x.by = of_program();
  return {};
}

} // namespace

ensemble::ensemble(caf::actor_system& system, ensemble_setup setup)
  : ensemble{system, embedded(std::move(setup))} {}

ensemble::ensemble(caf::actor_system& system, hosted_setup setup)
  : members_{std::make_unique<members>(system, std::move(setup))} {}

ensemble::ensemble(std::unique_ptr<members> x)
  : members_{std::move(x)} {}

ensemble::ensemble(ensemble&&) noexcept = default;
ensemble& ensemble::operator=(ensemble&&) noexcept = default;
ensemble::~ensemble() = default;

// -- calls that wait ---------------------------------------------------------------------

caf::error ensemble::ready(timespan within) const {
  const auto& x = *members_;
  within = bounded(within);
  auto roll = spawn<roll_call_state>(x.system, x.agent.clock, x.page, x.names_of_team(), within);
  auto there = call<uint64_t>(x.system, x.driver, roll, within + grace, caf::get_atom_v);
  return there ? caf::error{} : there.error();
}

void ensemble::on_ready(std::function<void(const caf::error&)> then, timespan within) const {
  const auto& x = *members_;
  within = bounded(within);
  auto roll = spawn<roll_call_state>(x.system, x.agent.clock, x.page, x.names_of_team(), within);
  auto asker = x.system.spawn([roll, within, then = std::move(then)](caf::event_based_actor* self) {
    ask(self, roll, within + grace, caf::get_atom_v)
      .then([then](uint64_t) { then({}); }, [then](const caf::error& err) { then(err); });
  });
  x.ended.add(asker);
}

caf::expected<receipt> ensemble::add(observation_draft draft, timespan within) const {
  return add(of_program(), std::move(draft), within);
}

caf::expected<receipt> ensemble::add(
  const caller& by, observation_draft draft, timespan within) const {
  if (by.name.empty())
    return nobody();
  return call<receipt>(
    members_->system, members_->driver, page(), within, add_observation{by, std::move(draft)});
}

caf::expected<query_result> ensemble::query(query_observations what, timespan within) const {
  if (auto err = check_caller(what))
    return err;
  return call<query_result>(members_->system, members_->driver, page(), within, std::move(what));
}

caf::expected<observation_ptr> ensemble::get(
  const std::string& observation_id, timespan within) const {
  return call<observation_ptr>(members_->system, members_->driver, page(), within,
    get_observation{of_program(), observation_id});
}

caf::expected<receipt> ensemble::update(update_observation what, timespan within) const {
  if (auto err = check_caller(what))
    return err;
  return call<receipt>(members_->system, members_->driver, page(), within, std::move(what));
}

caf::expected<turn_result> ensemble::run_turn(begin_turn what, timespan within) const {
  return call<turn_result>(members_->system, members_->driver, turns(), within, std::move(what));
}

caf::expected<turn_result> ensemble::begin_held_turn(begin_turn what, timespan within) const {
  what.hold = true;
  return run_turn(std::move(what), within);
}

caf::expected<turn_result> ensemble::await_turn(const std::string& turn_id, timespan within) const {
  return call<turn_result>(
    members_->system, members_->driver, turns(), within, scratchpage::await_turn{turn_id, {}});
}

caf::expected<turn_result> ensemble::end_turn(const std::string& turn_id, timespan within) const {
  return call<turn_result>(
    members_->system, members_->driver, turns(), within, scratchpage::end_turn{turn_id, {}});
}

caf::expected<event_subscription> ensemble::on_event(
  observation_filter filter, std::function<void(const page_event&)> tell, timespan within) const {
  if (!tell)
    return fail(errc::invalid_request, "tell", "expected a function");
  auto heard = std::make_shared<event_subscription::listener>(std::move(tell));
  auto actor = spawn_listener(members_->system, page(), heard, members_->has_threads);
  if (!actor)
    return actor.error();
  event_subscription result{std::move(heard)};
  subscribe order{of_program(), *actor, std::move(filter), {}, false};
  order.at_once = events_at_once;
  auto from = call<uint64_t>(members_->system, members_->driver, page(), within, std::move(order));
  if (!from)
    return from.error();
  return result;
}

// -- for actors --------------------------------------------------------------------------

const std::string& ensemble::damage() const {
  return members_->damage;
}

const std::string& ensemble::agent_id() const {
  return members_->agent.agent_id;
}

const scratch_page_actor& ensemble::page() const {
  return members_->page;
}

const frontal_cortex_actor& ensemble::cortex() const {
  return members_->cortex;
}

const consciousness_actor& ensemble::consciousness() const {
  return members_->consciousness;
}

const toolbox_actor& ensemble::tools() const {
  return members_->tools;
}

const episodic_memory_actor& ensemble::episodes() const {
  return members_->episodes;
}

const semantic_memory_actor& ensemble::facts() const {
  return members_->facts;
}

const working_memory_actor& ensemble::working_memory() const {
  return members_->working_memory;
}

const memories_actor& ensemble::memories() const {
  return members_->memories;
}

const turns_actor& ensemble::turns() const {
  return members_->turns;
}

const file_keeper_actor& ensemble::files() const {
  return members_->files;
}

const scratchbook_actor& ensemble::scratchbooks() const {
  return members_->scratchbooks;
}

const conversations_actor& ensemble::conversations() const {
  return members_->conversations;
}

std::vector<std::string> ensemble::team() const {
  return members_->team();
}

uint64_t ensemble::subscribers() const {
  return members_->team().size();
}

// -- your own daemons --------------------------------------------------------------------

daemon_setup ensemble::for_daemons() const {
  return members_->for_own_daemon();
}

caf::actor_system& ensemble::system() const {
  return members_->system;
}

void ensemble::join(const subscriber_actor& x, std::string name) {
  members_->join(x, std::move(name));
}

} // namespace scratchpage
