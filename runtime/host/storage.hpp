#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/trace/trace_store.hpp"

namespace scratchpage {

struct config;

/// An open storage of agents' histories: a data directory with SQLite, or a PostgreSQL database.
struct storage {
  std::optional<data_directory> directory; ///< locked as long as the store is used; SQLite only
  std::shared_ptr<scratchpage::store> store;
  std::string doubt; ///< why data may be missing that cannot be named; "": none is

  /// Opens the SQLite database in the directory `where`, or a PostgreSQL database if `where` is a
  /// connection string, `postgresql://…`, `postgres://…` or `host=…`. Errors:
  /// `storage_unavailable`, with the reason or the process that uses it; `invalid_request` about
  /// `where` if it is another connection string. Errors do not repeat a connection string, which
  /// may have a password.
  static caf::expected<storage> open(const std::string& where);

  /// Opens the SQLite database in a directory that is open already.
  static caf::expected<storage> open_in(data_directory directory);

  /// Whether `where` is a connection string, also of a kind that cannot be opened: it has "://" or
  /// begins with a keyword and '='.
  static bool is_connection(const std::string& where);

  /// Spawns the journal of all agents on a thread of its own. It ends with its last reference.
  /// `tell` and the functions of `watch` are called on that thread. Claims are watched only in a
  /// PostgreSQL database, where other processes can take them.
  /// As many journals as the storage writes commits at a time: one for a directory, since SQLite
  /// has one writer, several for a server. An agent always has the same one (`journal_of`). All of
  /// them report to `watch`.
  std::vector<journal_actor> spawn_journals(caf::actor_system& system,
    const std::shared_ptr<const scratchpage::clock>& clock, const config& with,
    const journal_state::on_health& tell, const journal_state::claim_watch& watch) const;

  journal_actor spawn_journal(caf::actor_system& system,
    std::shared_ptr<const scratchpage::clock> clock, const config& with,
    journal_state::on_health tell = {}, journal_state::claim_watch watch = {}) const;

  /// The files of an agent: in the folder `files/AGENT` of the directory, or in the PostgreSQL
  /// database.
  std::shared_ptr<file_store> files_of(const std::string& agent_id, const ownership& by) const;

  /// The number of documents of a collection of an agent.
  caf::expected<uint64_t> count_documents(uint64_t agent, const std::string& collection) const;

  /// A store that reads from the state of now, whatever is written meanwhile, over a connection of
  /// its own (`sql_store::open_consistent`). For threads that may wait.
  caf::expected<std::shared_ptr<scratchpage::store>> open_consistent() const;

  /// Opens the database of traces, which is created if it does not exist. Error:
  /// `storage_unavailable`.
  caf::expected<std::unique_ptr<trace_store>> open_trace() const;

private:
  std::shared_ptr<sql_store> counted_; ///< is `store`
  sql::connector connect_to_read_;     ///< to the histories
  sql::connector connect_to_trace_;
  std::filesystem::path trace_; ///< the file; empty for PostgreSQL

  static caf::expected<storage> open_database(const std::string& where);
  static caf::expected<storage> open_directory(const std::string& where);
};

/// The journal of an agent, which has the key `agent` in the store.
inline const journal_actor& journal_of(const std::vector<journal_actor>& all, uint64_t agent) {
  return all[lane_of(agent, all.size())];
}

} // namespace scratchpage
