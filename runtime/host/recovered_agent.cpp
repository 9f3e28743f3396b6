#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/memories/stored_goals.hpp"
#include "scratchpage/persistence/memories/stored_memories.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"
#include "scratchpage/persistence/trace/stored_trace.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/host/ensemble_members.hpp"
#include "scratchpage/runtime/host/hosted_setup.hpp"
#include "scratchpage/runtime/host/storage.hpp"

/// Recovers an agent from its storage, and opens an ensemble that keeps one agent. The actors end
/// some time after the ensemble, so the storage stays open until the last of them has ended.

namespace scratchpage {

caf::expected<recovered_agent> recover_agent(std::shared_ptr<store> from,
  const std::vector<journal_actor>& journals, const std::string& agent_id, const config& with,
  const ownership* goes_on, uint64_t log_after) {
  auto owner = goes_on != nullptr ? caf::expected<ownership>{*goes_on} : from->claim(agent_id);
  if (!owner)
    return owner.error();
  auto page = recover(*from, *owner, with.page.log_capacity, unkept_changes(with.durability),
    goes_on != nullptr ? std::optional{after_rest{log_after}} : std::nullopt);
  if (!page)
    return page.error();
  auto goals = stored_goals::open(from, *owner);
  if (!goals)
    return goals.error();
  auto episodes = stored_episodes::open(from, *owner, with.episodic);
  if (!episodes)
    return episodes.error();
  auto facts = stored_facts::open(from, *owner, with.semantic);
  if (!facts)
    return facts.error();
  auto numbers = id_allocator::open(from, *owner, std::string{counter_name::turns});
  if (!numbers)
    return numbers.error();
  auto made = (*goals)->take_goals();
  for (const auto& x : made)
    page->goals.emplace(x.goal_id, !is_over(x));
  recovered_agent result;
  result.journal = journal_of(journals, owner->agent);
  result.owner = *owner;
  result.page = std::make_shared<const recovered_page>(std::move(*page));
  result.goals = std::move(*goals);
  result.recovered_goals = std::move(made);
  result.episodes = std::move(*episodes);
  result.facts = std::move(*facts);
  result.turn_numbers = std::move(*numbers);
  result.store = std::move(from);
  return result;
}

caf::error advance_snapshot_if_due(
  store& in, const recovered_agent& kept, const journal_config& with) {
  auto head = in.find_snapshot(kept.owner.agent, snapshot_kind::latest);
  auto last = kept.page->sequence;
  if (head && last - head->sequence < with.fold_after)
    return {};
  auto before = last; // the snapshot one step ago
  while (head && head->sequence < last && head->sequence != before) {
    before = head->sequence;
    head = advance_snapshot(in, kept.owner, snapshot_kind::latest, last, with.fold_at_once);
  }
  return head ? caf::error{} : head.error();
}

// -- an ensemble that keeps its agent ----------------------------------------------------

namespace {

/// The database and the directory of one agent, open as long as an actor uses them. The members end
/// from the last to the first: the store, its lock, and what an ensemble waits for.
struct agent_storage {
  std::shared_ptr<void> awaited; ///< the token of `end_watch`
  std::optional<data_directory> directory;
  std::shared_ptr<store> histories;
};

using agent_storage_ptr = std::shared_ptr<agent_storage>;

/// Leaves the lock of a directory to those who use its store, also if the agent is not opened.
class lock_keeper {
public:
  lock_keeper(storage& in, agent_storage_ptr users)
    : in_{in},
      users_{std::move(users)} {}
  lock_keeper(const lock_keeper&) = delete;
  lock_keeper& operator=(const lock_keeper&) = delete;

  ~lock_keeper() {
    if (in_.directory)
      users_->directory.emplace(std::move(*in_.directory));
  }

private:
  storage& in_;
  agent_storage_ptr users_;
};

/// A trace, which keeps its storage open.
struct held_trace {
  held_trace(agent_storage_ptr in, std::shared_ptr<trace_store> to, const hosted_setup& setup)
    : opened{std::move(in)},
      trace{std::move(to), setup.agent_id, setup.kept.owner.epoch, setup.clock,
        trace_as_private(setup.config)} {}

  agent_storage_ptr opened; // first, so that it outlives the trace
  stored_trace trace;
};

/// The trace of the agent; null if it cannot be opened, which is no error.
std::shared_ptr<trace_sink> trace_in(
  const agent_storage_ptr& kept_open, const storage& in, const hosted_setup& setup) {
  if (setup.trace || !setup.config.trace.keep)
    return setup.trace;
  auto opened = in.open_trace();
  if (!opened)
    return nullptr;
  auto result = std::make_shared<held_trace>(kept_open, std::move(*opened), setup);
  return {result, &result->trace};
}

/// Claims the agent and recovers it into `setup`.
caf::error recover_in(caf::actor_system& system, storage& in, hosted_setup& setup) {
  auto journal = in.spawn_journal(system, setup.clock, setup.config);
  auto kept = recover_agent(in.store, {journal}, setup.agent_id, setup.config);
  if (!kept)
    return kept.error();
  kept->files = in.files_of(setup.agent_id, kept->owner);
  kept->pool = std::make_shared<blocking_pool>();
  if (auto err = advance_snapshot_if_due(*in.store, *kept, setup.config.journal))
    return err;
  setup.kept = std::move(*kept);
  return {};
}

/// As `check_setup`; a stored agent needs threads and real time as well.
caf::error check_stored(const hosted_setup& setup) {
  if (setup.driver != nullptr)
    return fail(errc::invalid_request, "driver",
      "expected none: a stored agent uses threads, which virtual time does not have");
  return check_setup(setup);
}

} // namespace

caf::expected<std::unique_ptr<ensemble::members>> ensemble::members::open(
  caf::actor_system& system, const std::string& where, hosted_setup setup, const end_watch& users) {
  auto in = storage::open(where);
  if (!in)
    return in.error();
  auto kept_open = std::make_shared<agent_storage>();
  kept_open->awaited = users.token();
  kept_open->histories = std::move(in->store);
  in->store = {kept_open, kept_open->histories.get()};
  lock_keeper lock{*in, kept_open};
  try {
    if (auto err = recover_in(system, *in, setup))
      return err;
    setup.trace = trace_in(kept_open, *in, setup);
    auto damage = setup.kept.page->damage;
    auto result = std::make_unique<members>(system, std::move(setup));
    result->damage = std::move(damage);
    kept_open->awaited = result->ended.token();
    return result;
  } catch (const std::system_error&) {
    return fail(errc::overloaded, "agent", "expected a thread for each actor that uses the disk");
  } catch (const std::exception& x) {
    return fail(errc::internal, "policies", std::string{"expected no exception, got "} + x.what());
  }
}

caf::expected<ensemble> ensemble::open(
  caf::actor_system& system, const std::string& where, ensemble_setup setup) {
  auto with = embedded(std::move(setup));
  if (auto err = check_stored(with))
    return err;
  if (auto err = models::complete(with.models, with.config.models, models::variables_of_process()))
    return err;
  with.clock = clock_of(with);
  end_watch users;
  auto opened = members::open(system, where, std::move(with), users);
  if (opened)
    return ensemble{std::move(*opened)};
  users.wait(end_watch::timeout); // the caller may open the storage again
  return opened.error();
}

} // namespace scratchpage
