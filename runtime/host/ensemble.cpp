#include "scratchpage/runtime/host/ensemble.hpp"

#include <utility>

#include <caf/actor_cast.hpp>
#include <caf/event_based_actor.hpp>

#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/policies/built_in_policies.hpp"
#include "scratchpage/runtime/host/ensemble_calls.hpp"
#include "scratchpage/runtime/host/ensemble_members.hpp"

namespace scratchpage {

namespace {

/// A roll call ends at its own deadline. The caller waits a little longer for its answer.
constexpr timespan grace = std::chrono::seconds{1};

hosted_setup hosted(ensemble_setup setup) {
  hosted_setup result{std::move(setup)};
  if (result.settings)
    result.config = *result.settings;
  return result;
}

caller of_program() {
  return as_daemon("program");
}

/// A request without a caller is the program's own.
template <class Request>
Request by_somebody(Request x) {
  if (x.by.name.empty())
    x.by = of_program();
  return x;
}

} // namespace

ensemble::ensemble(caf::actor_system& system, ensemble_setup setup)
  : ensemble{system, hosted(std::move(setup))} {}

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
  auto roll = spawn<roll_call_state>(x.system, x.agent.clock, x.page, subscribers(), within);
  auto there = call<uint64_t>(x.system, x.driver, roll, within + grace, caf::get_atom_v);
  return there ? caf::error{} : there.error();
}

void ensemble::on_ready(std::function<void(const caf::error&)> then, timespan within) const {
  const auto& x = *members_;
  auto roll = spawn<roll_call_state>(x.system, x.agent.clock, x.page, subscribers(), within);
  x.system.spawn([roll, within, then = std::move(then)](caf::event_based_actor* self) {
    ask(self, roll, within + grace, caf::get_atom_v)
      .then([then](uint64_t) { then({}); }, [then](const caf::error& err) { then(err); });
  });
}

caf::expected<receipt> ensemble::add(observation_draft draft, timespan within) const {
  return add(of_program(), std::move(draft), within);
}

caf::expected<receipt> ensemble::add(
  const caller& by, observation_draft draft, timespan within) const {
  add_observation request{by, std::move(draft)};
  return call<receipt>(
    members_->system, members_->driver, page(), within, by_somebody(std::move(request)));
}

caf::expected<query_result> ensemble::query(query_observations what, timespan within) const {
  return call<query_result>(
    members_->system, members_->driver, page(), within, by_somebody(std::move(what)));
}

caf::expected<observation_ptr> ensemble::get(
  const std::string& observation_id, timespan within) const {
  return call<observation_ptr>(members_->system, members_->driver, page(), within,
    get_observation{of_program(), observation_id});
}

caf::expected<receipt> ensemble::update(update_observation what, timespan within) const {
  return call<receipt>(
    members_->system, members_->driver, page(), within, by_somebody(std::move(what)));
}

caf::expected<turn_result> ensemble::begin_turn(
  scratchpage::begin_turn what, timespan within) const {
  return call<turn_result>(members_->system, members_->driver, turns(), within, std::move(what));
}

caf::expected<turn_result> ensemble::hold_turn(
  scratchpage::begin_turn what, timespan within) const {
  what.hold = true;
  return begin_turn(std::move(what), within);
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
  auto heard = std::make_shared<event_subscription::listener>(std::move(tell));
  auto actor = spawn_listener(members_->system, page(), heard);
  event_subscription result{std::move(heard)};
  subscribe order{of_program(), actor, std::move(filter), {}, false};
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

uint64_t ensemble::subscribers() const {
  return members_->subscribers;
}

// -- your own daemons --------------------------------------------------------------------

daemon_setup ensemble::for_daemons() const {
  return members_->for_daemons();
}

caf::actor_system& ensemble::system() const {
  return members_->system;
}

void ensemble::adopt(const subscriber_actor& x) {
  members_->adopt(x);
  ++members_->subscribers;
}

subscriber_actor ensemble::spawn_executor(caf::actor_system& system, daemon_setup setup,
  const config& with, toolbox_actor tools, consciousness_actor consciousness,
  const policy_factories& own) {
  executor_state::policies policies{with.executor, with.execution, with.protected_data,
    with.consent, choice_of(own.executor, built_in_executor, own.within)};
  return spawn<executor_state>(
    system, std::move(setup), std::move(policies), std::move(tools), std::move(consciousness));
}

} // namespace scratchpage
