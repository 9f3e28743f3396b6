#include "scratchpage/runtime/host/team_spawner.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/daemons/team.hpp"
#include "scratchpage/actors/policies/urgency_policy.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/host/ensemble_members.hpp"
#include "scratchpage/runtime/models/gate.hpp"
#include "scratchpage/runtime/models/model_policies.hpp"

namespace scratchpage {

namespace {

bool is_among(const std::vector<std::string>& names, std::string_view x) {
  return std::find(names.begin(), names.end(), x) != names.end();
}

/// The longest time that the Evaluator waits for the end of a turn: twice the longest deadline that
/// a caller can choose.
timespan longest_turn(const config& with) {
  const auto& turns = with.turns;
  return from_milliseconds(
    2 * std::max({turns.deadline_ms, turns.held_deadline_ms, begin_turn::longest_ms}));
}

} // namespace

std::vector<observation_filter> team_spawner::wanted() const {
  return wanted_by_team(parts_.with->latency);
}

size_t team_spawner::spawn_after(
  std::optional<uint64_t> sequence, std::function<void()> on_subscribed) {
  auto each = parts_.each;
  each.after = sequence;
  each.on_subscribed = std::move(on_subscribed);
  spawned_ = 0;
  if (each.agent.kept)
    each.agent.kept->put(begun_team{}, sizeof(begun_team));
  spawn_deciding(each);
  spawn_others(each);
  return spawned_;
}

/// Whether a daemon is spawned here. It is in the team in any case: turns also wait for daemons in
/// other processes.
bool team_spawner::is_here(std::string_view daemon) {
  if (is_among(parts_.without, daemon))
    return false;
  parts_.members->join(std::string{daemon});
  return !is_among(parts_.elsewhere, daemon);
}

template <class State, class... Ts>
void team_spawner::spawn_one(Ts&&... xs) {
  parts_.members->adopt(spawn<State>(*parts_.system, std::forward<Ts>(xs)...));
  ++spawned_;
}

/// The policies of the program, and those that ask a model.
policy_factories team_spawner::policies() {
  auto result = parts_.policies;
  const auto& with = *parts_.with;
  if (!with.models.is_used())
    return result;
  models::model_gate gate{
    *parts_.system, parts_.each.agent, with.models, parts_.models, parts_.has_threads};
  parts_.members->adopt(gate.actor());
  models::add_policies(
    result, {with.models, with.recovery, parts_.models.prompts, parts_.exports}, gate);
  return result;
}

void team_spawner::spawn_deciding(const daemon_setup& each) {
  const auto& with = *parts_.with;
  const auto& shared = parts_.shared;
  auto own = policies();
  if (is_here(router_state::name))
    spawn_one<router_state>(each,
      choice_of(
        own.router, [&] { return shared->router; }, own.within),
      alerts_and_questions(with.urgency));
  if (is_here(clarifier_state::name))
    spawn_one<clarifier_state>(each, with.ambiguity, with.consent,
      choice_of(
        own.clarifier, [&] { return shared->clarifier; }, own.within),
      parts_.tools, with.clarifier);
  if (is_here(error_handler_state::name))
    spawn_one<error_handler_state>(each,
      choice_of(
        own.error_handler, [&] { return shared->error_handler; }, own.within),
      parts_.tools);
  if (is_here(evaluator_state::name))
    spawn_one<evaluator_state>(each,
      choice_of(
        own.evaluator, [&] { return shared->evaluator; }, own.within),
      longest_turn(with));
  uint32_t place = 0; // of what each of the Reflector's rules remember
  auto make_reflector = [&] {
    return built_in_reflector(with.reflection, each.agent.kept, place++);
  };
  if (is_here(reflector_state::name))
    spawn_one<reflector_state>(each, choice_of(own.reflector, make_reflector, own.within));
}

void team_spawner::spawn_others(const daemon_setup& each) {
  const auto& with = *parts_.with;
  if (is_here(executor_state::name)) {
    parts_.members->adopt(spawn_executor(*parts_.system, each, with, parts_.tools,
      parts_.consciousness, parts_.policies, parts_.facts));
    ++spawned_;
  }
  if (is_here(system_analyzer_state::name))
    spawn_one<system_analyzer_state>(each, with.latency, parts_.tools);
}

subscriber_actor spawn_executor(caf::actor_system& system, daemon_setup setup, const config& with,
  toolbox_actor tools, consciousness_actor consciousness, const policy_factories& own,
  semantic_memory_actor facts) {
  executor_state::policies policies{with.executor, with.execution, with.protected_data,
    with.consent, choice_of(own.executor, built_in_executor, own.within)};
  return spawn<executor_state>(system, std::move(setup), std::move(policies), std::move(tools),
    std::move(consciousness), std::move(facts));
}

} // namespace scratchpage
