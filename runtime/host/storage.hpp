#pragma once

#include <memory>
#include <optional>
#include <string>

#include <caf/actor_system.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/trace/trace_store.hpp"

namespace scratchpage {

struct config;

/// A place where histories are kept, open for this process.
struct storage {
  std::optional<data_directory> directory; ///< held as long as the store is used; SQLite only
  std::shared_ptr<scratchpage::store> store;
  std::string doubt; ///< why something may be missing that nobody can tell; "": nothing is

  /// Opens the SQLite database in the directory `where`, or a PostgreSQL database
  /// if that is a connection string, `postgresql://…` or `host=…`. Errors:
  /// `storage_unavailable`, which says why, or who uses it.
  static caf::expected<storage> open(const std::string& where);

  /// Opens the SQLite database in a directory that is open already.
  static caf::expected<storage> open_in(data_directory directory);

  /// Whether `where` is a connection string.
  static bool is_connection(const std::string& where);

  /// The journal of all its agents, on a thread of its own; it ends when nobody
  /// refers to it. `tell` is called on that thread, as is the watch's; claims are looked
  /// after where others can take them, in a database.
  journal_actor spawn_journal(caf::actor_system& system,
    std::shared_ptr<const scratchpage::clock> clock, const config& with,
    journal_state::on_health tell = {}, journal_state::claim_watch watch = {}) const;

  /// An agent's files: in a folder `files/AGENT` of the directory, or in the store
  /// where that is a server.
  std::shared_ptr<file_store> files_of(const std::string& agent_id, const ownership& by) const;

  /// The database of traces beside it, which is made if it is not there. Error:
  /// `storage_unavailable`.
  caf::expected<std::unique_ptr<trace_store>> open_trace() const;

private:
  sql::connector connect_to_trace_;
  std::filesystem::path trace_; ///< the file; empty where that is a server

  static caf::expected<storage> open_database(const std::string& where);
  static caf::expected<storage> open_directory(const std::string& where);
};

} // namespace scratchpage
