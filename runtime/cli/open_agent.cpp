#include "scratchpage/runtime/cli/open_agent.hpp"

#include "scratchpage/persistence/store/fold.hpp"
#include "scratchpage/runtime/cli/config_file.hpp"
#include "scratchpage/runtime/kept_agent.hpp"
#include "scratchpage/runtime/scheduling.hpp"
#include "scratchpage/runtime/wall_clock.hpp"

namespace scratchpage {

namespace {

/// A command's answer means that it is kept, whatever a server does.
config as_commands_need_it(config with) {
  with.durability.durability = durability::sync;
  return with;
}

} // namespace

open_agent::system_config::system_config() {
  use_few_threads(*this);
}

open_agent::open_agent(storage from, std::string agent_id)
  : storage_{std::move(from)},
    agent_id_{std::move(agent_id)},
    system_{cfg_} {}

caf::expected<std::unique_ptr<open_agent>> open_agent::open(
  const agent_options& options, if_missing what) {
  if (auto err = check_agent_id(options.agent))
    return err;
  auto with = load_config_file(options.config);
  if (!with)
    return with.error();
  auto opened = open_storage(options.data, what);
  if (!opened)
    return opened.error();
  if (what == if_missing::refuse)
    if (auto err = check_is_known(*opened->store, options.agent))
      return err;
  std::unique_ptr<open_agent> result{new open_agent{std::move(*opened), options.agent}};
  if (auto err = result->begin(as_commands_need_it(std::move(*with))))
    return err;
  return result;
}

caf::error open_agent::begin(const config& with) {
  auto clock = std::make_shared<wall_clock>();
  auto journal = storage_.spawn_journal(system_, clock, with.journal);
  auto kept = recover_agent(storage_.store, journal, agent_id_, with);
  if (!kept)
    return kept.error();
  kept->files = storage_.files_of(agent_id_, kept->owner);
  damage_ = kept->page->damage;
  if (auto err = fold_if_due(*kept, with.journal))
    return err;
  if (auto err = begin_trace(kept->owner.epoch, clock, with))
    return err;
  ensemble_setup setup;
  setup.trace = trace_;
  setup.agent_id = agent_id_;
  setup.config = with;
  setup.clock = clock;
  setup.kept = std::move(*kept);
  team_ = std::make_unique<ensemble>(system_, std::move(setup));
  self_ = std::make_unique<caf::scoped_actor>(system_);
  if (auto err = await_team())
    return err;
  std::ignore = settle(); // what is not finished by now goes on behind the command
  return {};
}

caf::error open_agent::begin_trace(
  uint64_t epoch, std::shared_ptr<const clock> clock, const config& with) {
  if (!with.trace.keep)
    return {};
  auto opened = storage_.open_trace();
  if (!opened)
    return opened.error();
  trace_ = std::make_shared<kept_trace>(
    std::move(*opened), agent_id_, epoch, std::move(clock), trace_as_private(with));
  return {};
}

/// Journals move their snapshots on when they rest; a command is over before, and
/// without this a history of nothing but commands would take ever longer to read.
caf::error open_agent::fold_if_due(const kept_agent& kept, const journal_config& with) {
  auto head = storage_.store->find_snapshot(kept.owner.agent, snapshot_kind::latest);
  auto last = kept.page->sequence;
  if (head && last - head->sequence < with.fold_after)
    return {};
  auto before = last; // where it was a step ago
  while (head && head->sequence < last && head->sequence != before) {
    before = head->sequence;
    head = fold(*storage_.store, kept.owner, snapshot_kind::latest, last, with.fold_at_once);
  }
  return head ? caf::error{} : head.error();
}

/// A daemon that has not subscribed yet would miss what is added.
caf::error open_agent::await_team() {
  wall_clock clock;
  auto until = clock.now() + patience;
  while (clock.now() < until) {
    auto stats = request<page_stats>(team_->page(), caf::get_atom_v);
    if (!stats)
      return stats.error();
    if (stats->subscribers >= team_->subscribers())
      return {};
  }
  return fail(errc::deadline_exceeded, "",
    "expected " + std::to_string(team_->subscribers()) + " subscribers on the page");
}

caf::error open_agent::settle() {
  caf::error result;
  ask(self_->ptr(), team_->page(), patience_for_rest,
    await_quiet{as_daemon("command"), quiet_stage::ended})
    .receive([] {}, [&](const caf::error& err) { result = err; });
  if (result == caf::sec::request_timeout)
    return fail(errc::deadline_exceeded, "", "expected the daemons to be done in ten seconds");
  return result;
}

} // namespace scratchpage
