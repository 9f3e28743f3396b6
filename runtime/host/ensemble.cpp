#include "scratchpage/runtime/host/ensemble.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/conversation/agent_compactor.hpp"
#include "scratchpage/actors/conversation/conversations.hpp"
#include "scratchpage/actors/conversation/read_back.hpp"
#include "scratchpage/actors/cortex/consciousness.hpp"
#include "scratchpage/actors/cortex/frontal_cortex.hpp"
#include "scratchpage/actors/daemons/clarifier.hpp"
#include "scratchpage/actors/daemons/error_handler.hpp"
#include "scratchpage/actors/daemons/evaluator.hpp"
#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/daemons/reflector.hpp"
#include "scratchpage/actors/daemons/router.hpp"
#include "scratchpage/actors/daemons/system_analyzer.hpp"
#include "scratchpage/actors/memory/episodic_memory.hpp"
#include "scratchpage/actors/memory/semantic_memory.hpp"
#include "scratchpage/actors/memory/working_memory.hpp"
#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/actors/scratchbook/scratch_tools.hpp"
#include "scratchpage/actors/scratchbook/scratchbooks.hpp"
#include "scratchpage/actors/storage/archive_reader.hpp"
#include "scratchpage/actors/storage/file_keeper.hpp"
#include "scratchpage/actors/storage/housekeeping.hpp"
#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/actors/turns/turns.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/persistence/files/memory_files.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"
#include "scratchpage/persistence/trace/masked_trace.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/mcp/client/tool_server.hpp"

namespace scratchpage {

namespace {

/// A turn's end may take as long as its deadline, which whoever begins it may choose; the Evaluator
/// outwaits it.
timespan longest_turn(const config& with) {
  const auto& turns = with.turns;
  return from_milliseconds(
    2 * std::max({turns.deadline_ms, turns.held_deadline_ms, begin_turn::longest_ms}));
}

/// Who writes to storage by itself has a thread for it.
template <class State, class... Ts>
typename State::handle spawn_keeper(bool blocks, caf::actor_system& system, Ts&&... xs) {
  return blocks ? spawn_detached<State>(system, std::forward<Ts>(xs)...)
                : spawn<State>(system, std::forward<Ts>(xs)...);
}

} // namespace

ensemble::ensemble(caf::actor_system& system, ensemble_setup setup)
  : system_{system},
    daemon_limits_{setup.config.daemons} {
  agent_.agent_id = setup.agent_id;
  agent_.clock = setup.clock ? setup.clock : std::make_shared<wall_clock>();
  privacy_policy privacy{setup.config.privacy};
  auto masker = std::make_shared<const pii_masker>(privacy.masker());
  agent_.trace = setup.trace;
  if (setup.trace && privacy.masks_on_export() && !setup.trace->mask_with(masker))
    agent_.trace = std::make_shared<masked_trace>(setup.trace, masker);
  if (privacy.masks_on_arrival())
    arrivals_ = masker;
  try {
    spawn_services(setup);
    spawn_daemons(setup);
  } catch (...) { // there is no thread for one of them
    end();
    throw;
  }
}

ensemble::~ensemble() {
  end();
}

void ensemble::end() {
  for (auto i = members_.rbegin(); i != members_.rend(); ++i)
    caf::anon_send_exit(*i, caf::exit_reason::user_shutdown);
}

void ensemble::spawn_services(ensemble_setup& setup) {
  const auto& with = setup.config;
  auto& kept = setup.kept;
  archive_actor archive;
  if (kept.store)
    archive = adopt(spawn_keeper<archive_reader>(
      kept.blocks, system_, kept.store, kept.owner.agent, agent_.clock));
  page_setup page{with.page, with.weights, with.text, with.promotion, with.durability, kept.journal,
    archive, kept.owner, std::move(kept.page), arrivals_, std::move(setup.memory)};
  page_ = adopt(spawn<scratch_page_state>(system_, agent_, std::move(page)));
  consciousness_ = adopt(spawn<consciousness_state>(system_, agent_, with.mandates));
  frontal_cortex_setup cortex{with.frontal_cortex, with.promotion, with.goal_progress, with.consent,
    std::move(kept.goals), std::move(kept.recovered_goals), arrivals_};
  cortex_ = adopt(spawn_keeper<frontal_cortex_state>(
    kept.blocks, system_, agent_, std::move(cortex), page_, consciousness_));
  if (!kept.files)
    kept.files = std::make_shared<memory_files>();
  files_ = adopt(spawn_keeper<file_keeper_state>(kept.blocks, system_, kept.files));
  scratchbooks_ = adopt(spawn<scratchbooks_state>(
    system_, agent_, scratchbook_parts{files_, cortex_, arrivals_}, with.scratchbook));
  if (with.profile.has_scratchbook())
    for (auto& tool : scratch_tools(scratchbooks_))
      setup.tools.push_back(std::move(tool));
  if (with.profile.reads_back())
    setup.tools.push_back(
      read_back_tool({files_, limit_of_result(with.conversation, with.prompt)}));
  manifest_list manifests;
  for (const auto& tool : setup.tools)
    manifests.emplace_back(tool.manifest);
  auto tools = with.tools;
  tools.seed = setup.seed;
  tools.allow_threads = setup.allow_threads;
  tools_ = adopt(spawn<toolbox_state>(system_, agent_, static_cast<uint32_t>(component::tools),
    std::move(setup.tools), tools, spawn_tool_servers(setup)));
  if (!kept.episodes)
    kept.episodes = std::make_shared<memory_episodic_store>(with.episodic);
  if (!kept.facts)
    kept.facts = std::make_shared<memory_semantic_store>(with.semantic);
  episodic_patience patience{
    from_milliseconds(with.turns.request_ms), with.working_memory.part_deadline};
  episodes_ =
    adopt(spawn_keeper<episodic_memory>(kept.blocks, system_, agent_, kept.episodes, patience));
  facts_ = adopt(spawn_keeper<semantic_memory>(
    kept.blocks, system_, agent_, kept.facts, page_, with.semantic_memory));
  working_memory_sources sources{page_, cortex_, facts_, episodes_};
  working_memory_ =
    adopt(spawn<scratchpage::working_memory>(system_, agent_, sources, with.working_memory));
  conversation_parts conversation{files_, scratchbooks_, page_, cortex_, working_memory_,
    compactor_of(setup), arrivals_,
    // What servers offer changes.
    with.mcp_servers.empty() ? toolbox_actor{} : tools_};
  system_prompt_builder prompts{with.profile, with.scratchbook.view, with.prompt};
  conversations_ = adopt(spawn<conversations_state>(system_, agent_, std::move(conversation),
    std::move(prompts), std::move(manifests), with.prompt, with.profile, with.conversation));
  if (kept.store && kept.journal)
    adopt(spawn_keeper<housekeeping_state>(kept.blocks, system_, agent_,
      housekeeping_setup{with.housekeeping, with.privacy, kept.store, kept.owner, kept.journal,
        page_, cortex_, episodes_, facts_}));
}

/// They live in real time, and each waits for its program's end.
std::vector<tool_source> ensemble::spawn_tool_servers(const ensemble_setup& setup) {
  std::vector<tool_source> result;
  if (!setup.allow_threads)
    return result;
  auto number = static_cast<uint32_t>(component::first_tool_server);
  for (const auto& [name, server] : setup.config.mcp_servers) {
    mcp_client::tool_server_setup one{name, server, number++};
    one.traceparent = setup.traceparent;
    result.push_back({name + ".",
      adopt(spawn_detached<mcp_client::tool_server>(system_, agent_, std::move(one)))});
  }
  return result;
}

/// What compacts conversations; null if the rules do.
compactor_actor ensemble::compactor_of(const ensemble_setup& setup) {
  const auto& with = setup.config.conversation;
  if (setup.compactor || with.compactor.command.empty())
    return setup.compactor;
  agent_compactor_setup agent{tool_of(with.compactor), with.compactor, files_,
    limit_of_result(with, setup.config.prompt), with.compactor_ms, setup.config.scratchbook,
    with.rules};
  agent.allow_threads = setup.allow_threads;
  return adopt(spawn<agent_compactor_state>(system_, agent_, std::move(agent)));
}

void ensemble::spawn_daemons(const ensemble_setup& setup) {
  const auto& with = setup.config;
  auto each = for_daemons();
  // Six daemons, the Frontal Cortex and semantic memory subscribe, wherever they live.
  subscribers_ = 8;
  adopt(spawn<router_state>(system_, each, with.urgency));
  adopt(spawn<clarifier_state>(system_, each, with.ambiguity, with.consent, tools_));
  adopt(spawn<error_handler_state>(system_, each, with.recovery, tools_));
  adopt(spawn<evaluator_state>(system_, each, with.evaluation, longest_turn(with)));
  adopt(spawn<reflector_state>(system_, each, with.reflection));
  if (setup.executor)
    adopt(spawn_executor(system_, each, with, tools_, consciousness_));
  if (setup.system_analyzer) {
    adopt(spawn<system_analyzer_state>(system_, each, with.latency, tools_));
    ++subscribers_;
  }
  auto numbers = setup.kept.turn_numbers;
  if (!numbers)
    numbers = std::make_shared<counter>();
  turns_ = adopt(spawn_keeper<turns_state>(setup.kept.blocks, system_, agent_, with.turns,
    subscribers_, page_, cortex_, episodes_, std::move(numbers)));
}

subscriber_actor ensemble::spawn_executor(caf::actor_system& system, daemon_setup setup,
  const config& with, toolbox_actor tools, consciousness_actor consciousness) {
  executor_state::policies policies{
    with.executor, with.execution, with.protected_data, with.consent};
  return spawn<executor_state>(
    system, std::move(setup), std::move(policies), std::move(tools), std::move(consciousness));
}

daemon_setup ensemble::for_daemons() const {
  daemon_setup result;
  result.agent = agent_;
  result.page = page_;
  result.limits = daemon_limits_;
  return result;
}

} // namespace scratchpage
