#include "scratchpage/persistence/transfer/database_copy.hpp"

#include <system_error>

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>
#include <unistd.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/synced_file.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"
#include "scratchpage/persistence/store/store_transaction.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/persistence/transfer/pack_files.hpp"
#include "scratchpage/persistence/transfer/temporary_database.hpp"

namespace scratchpage {

namespace {

namespace fs = std::filesystem;

constexpr int pages_at_once = 1'000;
constexpr int busy_ms = 5'000;

void copy_pages(SQLite::Database& from, SQLite::Database& to, const progress& tell) {
  SQLite::Backup copy{to, from};
  while (copy.executeStep(pages_at_once) != SQLITE_DONE)
    if (tell) {
      auto total = static_cast<uint64_t>(copy.getTotalPageCount());
      tell(total - static_cast<uint64_t>(copy.getRemainingPageCount()), total);
    }
}

/// With nothing beside it.
void make_one_file(SQLite::Database& db) {
  db.exec("PRAGMA journal_mode = DELETE");
}

caf::error check_pages(SQLite::Database& db) {
  SQLite::Statement check{db, "PRAGMA integrity_check(1)"};
  if (check.executeStep() && check.getColumn(0).getString() == "ok")
    return {};
  return needs_repair("the database is damaged: " + check.getColumn(0).getString());
}

caf::error cannot_copy(const fs::path& from, const std::string& why) {
  return fail(errc::storage_unavailable, "", from.string() + " cannot be copied: " + why);
}

caf::error pack_into(const fs::path& database, const fs::path& files) {
  {
    auto transaction = store_transaction::begin(sql::sqlite(database));
    if (!transaction)
      return transaction.error();
    auto count = pack_files(files, (*transaction)->in());
    if (!count)
      return count.error();
    if (auto err = (*transaction)->commit())
      return err;
  }
  try {
    SQLite::Database db{database.string(), SQLite::OPEN_READWRITE, busy_ms};
    make_one_file(db);
    return {};
  } catch (const std::exception& x) {
    return cannot_copy(files, x.what());
  }
}

/// A database of somebody else's would only get tables it never asked for.
caf::error check_is_ours(const fs::path& file) {
  try {
    SQLite::Database db{file.string(), SQLite::OPEN_READONLY, busy_ms};
    if (db.tableExists("schema_version") && db.tableExists("journal"))
      return {};
  } catch (const SQLite::Exception&) { // is none at all
  }
  return fail(errc::storage_unavailable, "", "expected a database that scratchpage has made");
}

} // namespace

caf::error copy_database(const fs::path& from, const fs::path& to, const progress& tell) {
  try {
    sql::make_database_private(to);
    SQLite::Database source{from.string(), SQLite::OPEN_READONLY, busy_ms};
    SQLite::Database copy{to.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_ms};
    copy_pages(source, copy, tell);
    make_one_file(copy);
    return check_pages(copy);
  } catch (const std::exception& x) {
    return cannot_copy(from, x.what());
  }
}

caf::error write_checkpoint(
  const data_directory& from, const fs::path& file, const progress& tell) {
  std::error_code ec;
  if (fs::symlink_status(file, ec).type() != fs::file_type::not_found)
    return fail(errc::invalid_request, "FILE",
      "expected a name that is free, but there is something at " + file.string());
  temporary_database part{file.string() + ".part" + std::to_string(::getpid())};
  if (auto err = copy_database(from.database(), part.path(), tell))
    return err;
  if (auto err = pack_into(part.path(), from.files()))
    return err;
  return publish(part.path(), file);
}

caf::error verify_database(const fs::path& file) {
  if (auto err = check_is_ours(file))
    return err;
  auto opened = sql_store::open(sql::sqlite(file));
  if (!opened)
    return opened.error();
  auto agents = (*opened)->agents();
  if (!agents)
    return agents.error();
  exporter reader{[](std::string_view) { return caf::error{}; }};
  for (const auto& agent_id : *agents) {
    if (auto err = reader.add(**opened, agent_id))
      return err;
    auto agent = (*opened)->find_agent(agent_id);
    if (!agent)
      return agent.error();
    auto latest = read_page(**opened, **agent, snapshot_kind::latest);
    if (!latest)
      return latest.error();
  }
  return {};
}

} // namespace scratchpage
