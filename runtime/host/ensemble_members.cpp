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
#include "scratchpage/actors/policies/goal_progress.hpp"
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
#include "scratchpage/runtime/host/stand_in.hpp"
#include "scratchpage/runtime/host/team_spawner.hpp"
#include "scratchpage/runtime/mcp/client/tool_server.hpp"

namespace scratchpage {

namespace {

constexpr std::array<std::string_view, 7> daemon_names{router_state::name, clarifier_state::name,
  executor_state::name, error_handler_state::name, evaluator_state::name, reflector_state::name,
  system_analyzer_state::name};

bool has(const std::vector<std::string>& names, std::string_view x) {
  return std::find(names.begin(), names.end(), x) != names.end();
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
    is_embedded_{setup.is_embedded},
    all_{std::make_shared<roster>(ended.token())} {
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
    spawn_team(setup);
    spawn_turns(setup);
  } catch (...) { // there is no thread for one of them, or a factory has thrown
    all_->end();
    throw;
  }
}

/// The trace of a stored agent keeps its storage open, so it is released before the wait. On
/// virtual time the actors end while this thread runs them.
ensemble::members::~members() {
  all_->end();
  all_.reset();
  agent.trace.reset();
  if (driver != nullptr)
    driver->settle();
  else if (is_embedded_)
    ended.wait(end_watch::timeout);
}

void ensemble::members::join(const subscriber_actor& x, std::string name) {
  adopt(x);
  all_->join(std::move(name));
}

std::function<std::vector<std::string>()> ensemble::members::names_of_team() const {
  return [all = all_] { return all->team(); };
}

void ensemble::members::spawn_services(hosted_setup& setup) {
  const auto& with = setup.config;
  auto& kept = setup.kept;
  archive_actor archive;
  if (kept.store)
    archive = adopt(
      spawn_keeper<archive_reader>(kept.pool, system, kept.store, kept.owner.agent, agent.clock));
  page_setup parts{with.page, setup.settings_of(&config::weights), setup.settings_of(&config::text),
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

/// Spawns the daemons, or who stands in for them.
void ensemble::members::spawn_team(hosted_setup& setup) {
  all_->join("frontal_cortex");
  all_->join(semantic_memory::name);
  auto with =
    setup.shared_config ? setup.shared_config : std::make_shared<const config>(setup.config);
  auto shared = setup.shared ? setup.shared : shared_policies_of(setup.config);
  team_spawner team{{&system, all_, for_daemons(), tools, consciousness, facts, std::move(with),
    std::move(shared), std::move(setup.policies), std::move(setup.models), exports_, has_threads,
    std::move(setup.without), std::move(setup.elsewhere)}};
  auto have_begun = take_kept<begun_team>(agent.kept).has_value();
  if (setup.daemons_begin_late && !have_begun) {
    all_->join(std::string{stand_in_name});
    adopt(spawn<stand_in_state>(system, std::move(team)));
  } else {
    team.spawn_team();
  }
}

void ensemble::members::spawn_turns(const hosted_setup& setup) {
  auto numbers = setup.kept.turn_numbers;
  if (!numbers)
    numbers = std::make_shared<counter>();
  turns = adopt(spawn_keeper<turns_state>(setup.kept.pool, system, agent, setup.config.turns,
    team().size(), page, cortex, episodes, std::move(numbers)));
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
  result.number = next_number_++;
  return result;
}

} // namespace scratchpage
