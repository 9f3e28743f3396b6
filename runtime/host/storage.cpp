#include "scratchpage/runtime/host/storage.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/connection_pool.hpp"
#include "scratchpage/persistence/store/postgres_connection.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"
#include "scratchpage/persistence/transfer/database_files.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"

namespace scratchpage {

namespace {

bool is_postgres(std::string_view where) {
  constexpr std::array<std::string_view, 3> beginnings{"postgresql://", "postgres://", "host="};
  return std::any_of(
    beginnings.begin(), beginnings.end(), [&](std::string_view x) { return where.starts_with(x); });
}

/// Whether the text begins like "host=", which is how the words of a connection string do.
bool begins_with_keyword(std::string_view where) {
  auto is_of_keyword = [](char x) { return (x >= 'a' && x <= 'z') || x == '_'; };
  auto end = std::find_if_not(where.begin(), where.end(), is_of_keyword);
  return end != where.begin() && end != where.end() && *end == '=';
}

} // namespace

caf::expected<storage> storage::open(const std::string& where) {
  if (!is_connection(where))
    return open_directory(where);
  if (is_postgres(where))
    return open_database(where);
  return fail(errc::invalid_request, "where", // not repeated: it may have a password
    "expected a directory, or a connection string that begins with 'postgresql://', "
    "'postgres://' or 'host='; './' may stand before the name of a directory");
}

bool storage::is_connection(const std::string& where) {
  return where.find("://") != std::string::npos || begins_with_keyword(where);
}

caf::expected<storage> storage::open_database(const std::string& where) {
  auto opened = sql_store::open(sql::postgres(where));
  if (!opened)
    return opened.error();
  storage result;
  result.store = result.counted_ = std::move(*opened);
  // Who downloads may be slow, and a transaction that only reads holds nobody up.
  result.connect_to_read_ = sql::postgres(where, {.idle_time = std::chrono::seconds{30}});
  result.connect_to_trace_ = sql::postgres(where, {.synced = false});
  return result;
}

caf::expected<storage> storage::open_directory(const std::string& where) {
  auto directory = data_directory::open(where);
  if (!directory)
    return directory.error();
  return open_in(std::move(*directory));
}

caf::expected<storage> storage::open_in(data_directory directory) {
  auto mark = std::make_shared<commit_mark>(directory.database());
  auto opened = sql_store::open(sql::sqlite(directory.database()), mark);
  if (!opened)
    return opened.error();
  // Finishes an import that was interrupted before its files were in place.
  if (auto err = unpack_files(**opened, directory.files()))
    return err;
  storage result;
  result.trace_ = directory.path() / "trace.db";
  // The store has dropped what is only in the system's cache, so a reader need not do it again.
  result.connect_to_read_ =
    sql::sqlite(directory.database(), {.drop_page_cache = [](const auto&) {}});
  result.connect_to_trace_ = sql::sqlite(result.trace_, {.synced = false});
  result.directory.emplace(std::move(directory));
  result.store = result.counted_ = std::move(*opened);
  result.doubt = mark->problem();
  return result;
}

std::shared_ptr<file_store> storage::files_of(
  const std::string& agent_id, const ownership& by) const {
  if (directory)
    return std::make_shared<versioned_files>(
      std::make_unique<directory_files>(directory->files() / file_name_for(agent_id)), store, by);
  return std::make_shared<document_files>(store, by);
}

caf::expected<uint64_t> storage::count_documents(
  uint64_t agent, const std::string& collection) const {
  return counted_->count_documents(agent, collection);
}

caf::expected<std::shared_ptr<scratchpage::store>> storage::open_consistent() const {
  auto opened = sql_store::open_consistent(connect_to_read_);
  if (!opened)
    return opened.error();
  return std::shared_ptr<scratchpage::store>{std::move(*opened)};
}

caf::expected<std::unique_ptr<trace_store>> storage::open_trace() const {
  auto mark = trace_.empty() ? nullptr : std::make_shared<commit_mark>(trace_);
  return trace_store::open(connect_to_trace_, std::move(mark));
}

std::vector<journal_actor> storage::spawn_journals(caf::actor_system& system,
  const std::shared_ptr<const scratchpage::clock>& clock, const config& with,
  const journal_state::on_health& tell, const journal_state::claim_watch& watch) const {
  if (directory)
    return {spawn_journal(system, clock, with, tell, watch)};
  auto is_async = with.durability.durability == durability::async;
  std::vector<journal_actor> result;
  while (result.size() < connection_limits::writers) {
    auto is_first = result.empty(); // it checks the claims of all agents
    result.push_back(spawn_detached<journal_state>(system, store, clock, with.journal, is_async,
      tell, journal_state::claim_watch{is_first ? watch.claims : nullptr, watch.tell}));
  }
  return result;
}

journal_actor storage::spawn_journal(caf::actor_system& system,
  std::shared_ptr<const scratchpage::clock> clock, const config& with,
  journal_state::on_health tell, journal_state::claim_watch watch) const {
  if (directory)
    watch.claims = nullptr;
  if (with.durability.durability == durability::async) // callers do not wait for commits
    return spawn_detached<journal_state>(
      system, store, std::move(clock), with.journal, true, std::move(tell), std::move(watch));
  return spawn_blocking<journal_state>(
    system, store, std::move(clock), with.journal, false, std::move(tell), std::move(watch));
}

} // namespace scratchpage
