#include "scratchpage/runtime/host/ensemble_members.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <caf/send.hpp>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/conversation/agent_compactor.hpp"
#include "scratchpage/actors/conversation/conversations.hpp"
#include "scratchpage/actors/conversation/read_back.hpp"
#include "scratchpage/actors/cortex/consciousness.hpp"
#include "scratchpage/actors/cortex/frontal_cortex.hpp"
#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/daemons/team.hpp"
#include "scratchpage/actors/memory/long_term_memory.hpp"
#include "scratchpage/actors/memory/memories.hpp"
#include "scratchpage/actors/memory/working_memory.hpp"
#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/actors/policies/built_in_policies.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/urgency_policy.hpp"
#include "scratchpage/actors/scratchbook/scratch_tools.hpp"
#include "scratchpage/actors/scratchbook/scratchbooks.hpp"
#include "scratchpage/actors/storage/archive_reader.hpp"
#include "scratchpage/actors/storage/file_keeper.hpp"
#include "scratchpage/actors/storage/housekeeping.hpp"
#include "scratchpage/actors/turns/turns.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/execution/blocking_pool.hpp"
#include "scratchpage/runtime/execution/virtual_time.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/mcp/client/tool_server.hpp"
#include "scratchpage/runtime/models/gate.hpp"
#include "scratchpage/runtime/models/model_policies.hpp"

namespace scratchpage {

namespace {

constexpr std::array<std::string_view, 7> daemon_names{router_state::name, clarifier_state::name,
  executor_state::name, error_handler_state::name, evaluator_state::name, reflector_state::name,
  system_analyzer_state::name};

bool has(const std::vector<std::string>& names, std::string_view x) {
  return std::find(names.begin(), names.end(), x) != names.end();
}

/// The longest time that the Evaluator waits for the end of a turn: twice the longest deadline that
/// a caller can choose.
timespan longest_turn(const config& with) {
  const auto& turns = with.turns;
  return from_milliseconds(
    2 * std::max({turns.deadline_ms, turns.held_deadline_ms, begin_turn::longest_ms}));
}

/// Spawns an actor that writes to storage itself. With a pool, it blocks and runs there.
template <class State, class... Ts>
typename State::handle spawn_keeper(
  const std::shared_ptr<blocking_pool>& pool, caf::actor_system& system, Ts&&... xs) {
  return pool ? spawn_pooled<State>(pool, system, std::forward<Ts>(xs)...)
              : spawn<State>(system, std::forward<Ts>(xs)...);
}

std::shared_ptr<trace_sink> masked_if_needed(std::shared_ptr<trace_sink> x,
  const privacy_policy& privacy, const std::shared_ptr<const pii_masker>& masker) {
  if (!x || !privacy.masks_on_export() || x->mask_with(masker))
    return x;
  return std::make_shared<masked_trace>(std::move(x), masker);
}

/// Adds the tools that the profile of a model needs.
void add_profile_tools(std::vector<tool_definition>& to, const config& with,
  const scratchbook_actor& books, const file_keeper_actor& files) {
  if (with.profile.has_scratchbook())
    for (auto& tool : scratch_tools(books))
      to.push_back(std::move(tool));
  if (with.profile.reads_back())
    to.push_back(read_back_tool({files, limit_of_result(with.conversation, with.prompt)}));
}

/// Checks that no tool of a program has the id of one that the profile adds.
caf::error check_profile_tools(const hosted_setup& setup) {
  std::vector<tool_definition> added;
  add_profile_tools(added, setup.config, {}, {});
  for (const auto& tool : setup.tools)
    for (const auto& taken : added)
      if (tool.manifest.tool_id == taken.manifest.tool_id)
        return fail(errc::invalid_request, "tool_id",
          "expected another id than that of the library's tool " + taken.manifest.tool_id);
  return {};
}

caf::error check_daemons(std::string_view field, const std::vector<std::string>& names) {
  for (const auto& one : names)
    if (std::find(daemon_names.begin(), daemon_names.end(), one) == daemon_names.end())
      return fail(errc::invalid_request, field,
        "expected the names of daemons such as 'router', got '" + one + "'");
  return {};
}

caf::error check_daemons(const ensemble_setup& setup) {
  if (auto err = check_daemons("without", setup.without))
    return err;
  if (auto err = check_daemons("elsewhere", setup.elsewhere))
    return err;
  for (const auto& one : setup.elsewhere)
    if (has(setup.without, one))
      return fail(errc::invalid_request, "elsewhere",
        "expected no daemon that is also in 'without', got '" + one + "'");
  return {};
}

} // namespace

std::shared_ptr<const clock> clock_of(const ensemble_setup& setup) {
  if (setup.clock)
    return setup.clock;
  if (setup.driver != nullptr)
    return setup.driver->clock();
  return std::make_shared<wall_clock>();
}

std::shared_ptr<const shared_policies> shared_policies_of(const config& with) {
  return std::make_shared<const shared_policies>(
    with.urgency, with.ambiguity, with.recovery, with.evaluation);
}

hosted_setup embedded(ensemble_setup setup) {
  hosted_setup result{std::move(setup)};
  if (result.settings)
    result.config = *result.settings;
  result.is_embedded = true;
  return result;
}

caf::error check_setup(const hosted_setup& setup) {
  if (setup.is_embedded) {
    if (auto err = agent_host::check_new_id(setup.agent_id, "agent_id"))
      return err;
    if (auto err = check_profile_tools(setup))
      return err;
  }
  if (auto err = validate(setup.tools))
    return err;
  if (setup.policies.within <= timespan{})
    return fail(errc::invalid_request, "policies.within", "expected a time above 0");
  return check_daemons(setup);
}

ensemble::members::members(caf::actor_system& in, hosted_setup setup)
  : system{in},
    driver{setup.driver},
    has_threads{setup.allow_threads && setup.driver == nullptr},
    ended{std::move(setup.on_ended)},
    daemon_limits_{setup.config.daemons},
    is_embedded_{setup.is_embedded} {
  if (auto err = check_setup(setup))
    throw std::invalid_argument{describe(err)};
  if (auto err =
        models::complete(setup.models, setup.config.models, models::variables_of_process()))
    throw std::invalid_argument{describe(err)};
  privacy_policy privacy{setup.config.privacy};
  auto masker = std::make_shared<const pii_masker>(privacy.masker());
  agent.agent_id = setup.agent_id;
  agent.clock = clock_of(setup);
  agent.kept = std::move(setup.rest);
  agent.trace = masked_if_needed(setup.trace, privacy, masker);
  if (privacy.masks_on_arrival())
    arrivals_ = masker;
  if (privacy.masks_on_export())
    exports_ = masker;
  try {
    spawn_services(setup);
    spawn_daemons(setup);
  } catch (...) { // there is no thread for one of them, or a factory has thrown
    end();
    throw;
  }
}

/// The trace of a stored agent keeps its storage open, so it is released before the wait. On
/// virtual time the actors end while this thread runs them.
ensemble::members::~members() {
  end();
  agent.trace.reset();
  if (driver != nullptr)
    driver->settle();
  else if (is_embedded_)
    ended.wait(end_watch::timeout);
}

void ensemble::members::join(const subscriber_actor& x, std::string name) {
  adopt(x);
  std::lock_guard lock{guard_};
  team_.push_back(std::move(name));
}

std::vector<std::string> ensemble::members::team() const {
  std::lock_guard lock{guard_};
  return team_;
}

void ensemble::members::end() {
  for (auto i = all_.rbegin(); i != all_.rend(); ++i)
    caf::anon_send_exit(*i, caf::exit_reason::user_shutdown);
}

void ensemble::members::spawn_services(hosted_setup& setup) {
  const auto& with = setup.config;
  auto& kept = setup.kept;
  archive_actor archive;
  if (kept.store)
    archive = adopt(
      spawn_keeper<archive_reader>(kept.pool, system, kept.store, kept.owner.agent, agent.clock));
  page_setup parts{with.page, with.weights, setup.settings_of(&config::text),
    setup.settings_of(&config::promotion), with.durability, kept.journal, archive, kept.owner,
    std::move(kept.page), arrivals_, std::move(setup.memory)};
  page = adopt(spawn<scratch_page_state>(system, agent, std::move(parts)));
  spawn_cortex(setup);
  spawn_files(setup);
  spawn_tools(setup);
  housekeeping_actor housekeeping;
  if (kept.store && kept.journal)
    housekeeping = adopt(spawn_keeper<housekeeping_state>(kept.pool, system, agent,
      housekeeping_setup{with.housekeeping, with.privacy, kept.store, kept.owner, kept.journal,
        page, cortex, episodes, facts}));
  memories = adopt(spawn<memories_state>(system, agent,
    memories_sources{page, cortex, facts, episodes, housekeeping},
    setup.settings_of(&config::text)));
}

void ensemble::members::spawn_cortex(hosted_setup& setup) {
  const auto& with = setup.config;
  auto& kept = setup.kept;
  consciousness = adopt(spawn<consciousness_state>(system, agent, with.mandates));
  frontal_cortex_setup parts{with.frontal_cortex, setup.settings_of(&config::promotion),
    with.goal_progress, with.consent, std::move(kept.goals), std::move(kept.recovered_goals),
    arrivals_};
  cortex = adopt(spawn_keeper<frontal_cortex_state>(
    kept.pool, system, agent, std::move(parts), page, consciousness));
}

void ensemble::members::spawn_files(hosted_setup& setup) {
  auto& kept = setup.kept;
  if (!kept.files)
    kept.files = std::make_shared<memory_files>();
  files = adopt(spawn_keeper<file_keeper_state>(kept.pool, system, kept.files));
  scratchbooks = adopt(spawn<scratchbooks_state>(
    system, agent, scratchbook_parts{files, cortex, arrivals_}, setup.config.scratchbook));
}

/// Spawns the tools, and the memories and conversations, which need the list of tools.
void ensemble::members::spawn_tools(hosted_setup& setup) {
  const auto& with = setup.config;
  add_profile_tools(setup.tools, with, scratchbooks, files);
  ended.add(setup.tools);
  manifest_list manifests;
  for (const auto& tool : setup.tools)
    manifests.emplace_back(tool.manifest);
  auto limits = with.tools;
  limits.seed = setup.seed;
  limits.allow_threads = has_threads;
  tools = adopt(spawn<toolbox_state>(system, agent, static_cast<uint32_t>(component::tools),
    std::move(setup.tools), limits, spawn_tool_servers(setup)));
  spawn_memories(setup);
  spawn_conversations(setup, std::move(manifests));
}

/// Tool servers use real time, and each waits until its program has ended.
std::vector<tool_source> ensemble::members::spawn_tool_servers(const hosted_setup& setup) {
  std::vector<tool_source> result;
  if (!has_threads)
    return result;
  auto number = static_cast<uint32_t>(component::first_tool_server);
  for (const auto& [name, server] : setup.config.mcp_servers) {
    mcp_client::tool_server_setup one{name, server, number++};
    one.traceparent = setup.traceparent;
    result.push_back(
      {name + ".", adopt(spawn_detached<mcp_client::tool_server>(system, agent, std::move(one)))});
  }
  return result;
}

void ensemble::members::spawn_memories(hosted_setup& setup) {
  const auto& with = setup.config;
  auto& kept = setup.kept;
  if (!kept.episodes)
    kept.episodes = std::make_shared<memory_episodic_store>(with.episodic);
  if (!kept.facts)
    kept.facts = std::make_shared<memory_semantic_store>(with.semantic);
  episodic_timeouts timeouts{
    from_milliseconds(with.turns.request_ms), with.working_memory.part_deadline};
  episodes =
    adopt(spawn_keeper<episodic_memory>(kept.pool, system, agent, kept.episodes, timeouts));
  facts = adopt(spawn_keeper<semantic_memory>(
    kept.pool, system, agent, kept.facts, page, with.semantic_memory, arrivals_));
  working_memory_sources sources{page, cortex, facts, episodes};
  working_memory = adopt(spawn<scratchpage::working_memory>(system, agent, sources,
    with.working_memory, estimate_tokens, setup.settings_of(&config::text)));
}

void ensemble::members::spawn_conversations(const hosted_setup& setup, manifest_list manifests) {
  const auto& with = setup.config;
  conversation_parts parts{files, scratchbooks, page, cortex, working_memory, compactor_of(setup),
    arrivals_,
    // Servers may change their tools.
    with.mcp_servers.empty() ? toolbox_actor{} : tools};
  system_prompt_builder prompts{with.profile, with.scratchbook.view, with.prompt};
  conversations = adopt(spawn<conversations_state>(system, agent, std::move(parts),
    std::move(prompts), std::move(manifests), with.prompt, with.profile, with.conversation));
}

/// The actor that compacts conversations; null if the rules do it.
compactor_actor ensemble::members::compactor_of(const hosted_setup& setup) {
  const auto& with = setup.config.conversation;
  if (setup.compactor || with.compactor.command.empty())
    return setup.compactor;
  agent_compactor_setup parts{tool_of(with.compactor), with.compactor, files,
    limit_of_result(with, setup.config.prompt), with.compactor_ms, setup.config.scratchbook,
    with.rules};
  parts.allow_threads = has_threads;
  return adopt(spawn<agent_compactor_state>(system, agent, std::move(parts)));
}

/// Whether a daemon is spawned here. It is in the team in any case: turns also wait for daemons in
/// other processes.
bool ensemble::members::is_here(const ensemble_setup& setup, const char* daemon) {
  if (has(setup.without, daemon))
    return false;
  team_.emplace_back(daemon);
  return !has(setup.elsewhere, daemon);
}

void ensemble::members::spawn_daemons(const hosted_setup& setup) {
  const auto& with = setup.config;
  team_ = {"frontal_cortex", semantic_memory::name};
  spawn_deciding_daemons(setup);
  if (is_here(setup, executor_state::name))
    adopt(spawn_executor(system, for_daemons(), with, tools, consciousness, setup.policies, facts));
  if (is_here(setup, system_analyzer_state::name))
    adopt(spawn<system_analyzer_state>(system, for_daemons(), with.latency, tools));
  auto numbers = setup.kept.turn_numbers;
  if (!numbers)
    numbers = std::make_shared<counter>();
  turns = adopt(spawn_keeper<turns_state>(setup.kept.pool, system, agent, with.turns, team_.size(),
    page, cortex, episodes, std::move(numbers)));
}

/// The policies of the program, and those that ask a model.
policy_factories ensemble::members::policies_of(const hosted_setup& setup) {
  auto result = setup.policies;
  const auto& with = setup.config;
  if (!with.models.is_used())
    return result;
  models::model_gate gate{system, agent, with.models, setup.models, has_threads};
  adopt(gate.actor());
  models::add_policies(result, {with.models, with.recovery, setup.models.prompts, exports_}, gate);
  return result;
}

void ensemble::members::spawn_deciding_daemons(const hosted_setup& setup) {
  const auto& with = setup.config;
  auto own = policies_of(setup);
  auto each = for_daemons();
  auto shared = setup.shared ? setup.shared : shared_policies_of(with);
  if (is_here(setup, router_state::name))
    adopt(spawn<router_state>(system, each,
      choice_of(
        own.router, [&] { return shared->router; }, own.within),
      alerts_and_questions(with.urgency)));
  if (is_here(setup, clarifier_state::name))
    adopt(spawn<clarifier_state>(system, each, with.ambiguity, with.consent,
      choice_of(
        own.clarifier, [&] { return shared->clarifier; }, own.within),
      tools, with.clarifier));
  if (is_here(setup, error_handler_state::name))
    adopt(spawn<error_handler_state>(system, each,
      choice_of(
        own.error_handler, [&] { return shared->error_handler; }, own.within),
      tools));
  if (is_here(setup, evaluator_state::name))
    adopt(spawn<evaluator_state>(system, each,
      choice_of(
        own.evaluator, [&] { return shared->evaluator; }, own.within),
      longest_turn(with)));
  uint32_t place = 0; // of what each of the Reflector's rules remember
  auto make_reflector = [&] { return built_in_reflector(with.reflection, agent.kept, place++); };
  if (is_here(setup, reflector_state::name))
    adopt(
      spawn<reflector_state>(system, each, choice_of(own.reflector, make_reflector, own.within)));
}

daemon_setup ensemble::members::for_daemons() const {
  daemon_setup result;
  result.agent = agent;
  result.page = page;
  result.limits = daemon_limits_;
  return result;
}

daemon_setup ensemble::members::for_own_daemon() {
  auto result = for_daemons();
  std::lock_guard lock{guard_};
  result.number = next_number_++;
  return result;
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
