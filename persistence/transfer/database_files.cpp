#include "scratchpage/persistence/transfer/database_files.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"
#include "scratchpage/persistence/store/store_transaction.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"
#include "scratchpage/persistence/transfer/export.hpp"

namespace scratchpage {

namespace {

caf::error cannot_write(const std::filesystem::path& path, int error) {
  return fail(errc::storage_unavailable, "",
    path.string()
      + " cannot be written: " + std::error_code{error, std::generic_category()}.message());
}

/// Syncs a file or a directory.
caf::error sync(const std::filesystem::path& path) {
  auto file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  auto is_synced = file >= 0 && ::fsync(file) == 0;
  auto why = errno;
  if (file >= 0)
    ::close(file);
  return is_synced ? caf::error{} : cannot_write(path, why);
}

std::filesystem::path directory_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path{"."};
}

namespace fs = std::filesystem;

constexpr int pages_at_once = 256; // a megabyte, after which others may go first
constexpr int busy_ms = 5'000;

/// Copies all pages of one state: without the transaction, each commit of others would make the
/// copy begin again.
caf::error copy_pages(
  SQLite::Database& from, SQLite::Database& to, const progress& tell, const may_go_on& go_on) {
  SQLite::Transaction one_state{from};
  from.execAndGet("SELECT COUNT(*) FROM sqlite_schema"); // the first statement takes the state
  SQLite::Backup copy{to, from};
  while (copy.executeStep(pages_at_once) != SQLITE_DONE) {
    if (tell) {
      auto total = static_cast<uint64_t>(copy.getTotalPageCount());
      tell(total - static_cast<uint64_t>(copy.getRemainingPageCount()), total);
    }
    if (go_on)
      if (auto err = go_on())
        return err;
  }
  return {};
}

/// Leaves WAL mode, so that the database is one file.
void make_one_file(SQLite::Database& db) {
  db.exec("PRAGMA journal_mode = DELETE");
}

/// Asks `go_on` now and then while a statement runs, which ends when there is an error.
class paced_statements {
public:
  paced_statements(SQLite::Database& db, const may_go_on& go_on)
    : db_{db.getHandle()},
      go_on_{go_on} {
    constexpr int steps = 20'000; // of SQLite's machine: about a millisecond
    if (go_on_)
      sqlite3_progress_handler(db_, steps, ask, this);
  }
  paced_statements(const paced_statements&) = delete;
  paced_statements& operator=(const paced_statements&) = delete;
  ~paced_statements() { sqlite3_progress_handler(db_, 0, nullptr, nullptr); }

  const caf::error& error() const { return error_; }

private:
  static int ask(void* me) {
    auto& x = *static_cast<paced_statements*>(me);
    x.error_ = x.go_on_();
    return x.error_ ? 1 : 0;
  }

  sqlite3* db_;
  const may_go_on& go_on_;
  caf::error error_;
};

caf::error check_pages(SQLite::Database& db, const may_go_on& go_on) {
  paced_statements pace{db, go_on};
  SQLite::Statement check{db, "PRAGMA integrity_check(1)"};
  auto step = check.tryExecuteStep();
  if (pace.error())
    return pace.error();
  if (step != SQLITE_ROW)
    return fail(errc::storage_unavailable, "", db.getErrorMsg());
  if (check.getColumn(0).getString() == "ok")
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

/// Checks that the database was made by this program, because opening it as a store would add
/// tables to any other database.
caf::error check_is_ours(const fs::path& file) {
  try {
    SQLite::Database db{file.string(), SQLite::OPEN_READONLY, busy_ms};
    if (db.tableExists("schema_version") && db.tableExists("journal"))
      return {};
  } catch (const SQLite::Exception&) { // it is no SQLite database
  }
  return fail(errc::storage_unavailable, "", "expected a database that scratchpage has made");
}

/// Packs one agent's files into the store.
class packer {
public:
  packer(const std::filesystem::path& files, store& to, std::string agent_id)
    : from_{files / file_name_for(agent_id)},
      to_{to},
      agent_id_{std::move(agent_id)} {}

  caf::expected<std::vector<std::string>> list() const { return from_.list(); }

  /// Packs one file. False if it was removed meanwhile.
  caf::expected<bool> pack(const std::string& path) {
    auto found = from_.read(path, 0, UINT64_MAX);
    if (!found)
      return found.error();
    if (!*found)
      return false;
    auto row = to_file_document(path, (*found)->bytes);
    if (!row)
      return row.error();
    if (auto err = put(*row))
      return err;
    return true;
  }

private:
  caf::error put(const document& row) {
    if (!by_) {
      auto claimed = to_.claim(agent_id_);
      if (!claimed)
        return claimed.error();
      by_ = *claimed;
    }
    return to_.put(*by_, {&row, 1});
  }

  directory_files from_;
  store& to_;
  std::string agent_id_;
  std::optional<ownership> by_;
};

/// Writes one agent's files from the store to their folder.
caf::error unpack(
  store& from, const std::string& agent_id, uint64_t agent, const std::filesystem::path& files) {
  directory_files to{files / file_name_for(agent_id)};
  std::vector<document> done; // without bodies, which removes them from the store
  caf::error failed;
  auto err = from.read_documents(agent, std::string{collection::files}, [&](document&& x) {
    auto bytes = bytes_of_file(x);
    failed = bytes ? to.write(x.key, *bytes) : bytes.error();
    done.push_back(make_document(collection::files, std::move(x.key), ""));
    return !failed;
  });
  if (err || failed || done.empty())
    return err ? err : failed;
  auto owner = from.claim(agent_id);
  return owner ? from.put(*owner, done) : owner.error();
}

} // namespace

caf::error publish(const std::filesystem::path& file, const std::filesystem::path& name) {
  if (auto err = sync(file))
    return err;
  // A link, unlike a rename, does not replace an existing file.
  if (::link(file.c_str(), name.c_str()) != 0)
    return cannot_write(name, errno);
  if (::unlink(file.c_str()) != 0)
    return cannot_write(file, errno);
  return sync(directory_of(name));
}

struct new_database::state {
  state(data_directory of, bool is_new)
    : directory{std::move(of)},
      is_new_directory{is_new},
      part{directory.database().string() + ".part"} {}

  data_directory directory;
  bool is_new_directory;
  bool is_kept = false;
  temporary_database part;
};

new_database::new_database(std::unique_ptr<state> x)
  : state_{std::move(x)} {}

new_database::new_database(new_database&&) noexcept = default;

new_database::~new_database() {
  if (!state_ || state_->is_kept || !state_->is_new_directory)
    return;
  auto directory = state_->directory.path();
  state_.reset();
  std::error_code ignored;
  fs::remove(directory / "lock", ignored);
  fs::remove(directory, ignored); // it is empty now
}

caf::expected<new_database> new_database::open(const fs::path& directory, std::string_view option) {
  std::error_code ec;
  auto is_new = !fs::exists(directory, ec);
  auto has_database = [&] { return fs::exists(data_directory::database_in(directory), ec); };
  auto refused = fail(errc::invalid_request, option,
    "expected a directory without a database, but there is one in " + directory.string());
  if (has_database())
    return refused;
  if (auto files = data_directory::files_in(directory); fs::exists(files, ec))
    return fail(errc::invalid_request, option,
      "expected a directory without files of agents, but there is " + files.string());
  auto opened = data_directory::open(directory);
  if (!opened)
    return opened.error();
  if (has_database()) // another process has made it meanwhile
    return refused;
  return new_database{std::make_unique<state>(std::move(*opened), is_new)};
}

fs::path new_database::file() const {
  return state_->part.path();
}

caf::error new_database::keep() {
  try { // a mark that is there belongs to another database
    begin_mark(file(), state_->directory.database());
  } catch (const sql::failure& x) {
    return fail(errc::storage_unavailable, "", x.what());
  }
  if (auto err = publish(file(), state_->directory.database()))
    return err;
  state_->is_kept = true;
  return unpack_files_of(state_->directory);
}

caf::error copy_database(
  const fs::path& from, const fs::path& to, const progress& tell, const may_go_on& go_on) {
  try {
    sql::make_database_private(to);
    SQLite::Database source{from.string(), SQLite::OPEN_READONLY, busy_ms};
    SQLite::Database copy{to.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_ms};
    copy.exec("PRAGMA synchronous = OFF"); // whoever keeps the file syncs it as a whole
    if (auto err = copy_pages(source, copy, tell, go_on))
      return err;
    make_one_file(copy);
    return check_pages(copy, go_on);
  } catch (const std::exception& x) {
    return cannot_copy(from, x.what());
  }
}

caf::error copy_directory(const fs::path& database, const fs::path& files, const fs::path& to,
  const progress& tell, const may_go_on& go_on) {
  auto err = copy_database(database, to, tell, go_on);
  return err ? err : pack_into(to, files);
}

caf::error write_checkpoint(
  const data_directory& from, const fs::path& file, const progress& tell) {
  if (auto err = check_is_free(file))
    return err;
  temporary_database part{file.string() + ".part" + std::to_string(::getpid())};
  if (auto err = copy_directory(from.database(), from.files(), part.path(), tell))
    return err;
  return publish(part.path(), file);
}

caf::error check_is_free(const fs::path& file) {
  std::error_code ec;
  if (fs::symlink_status(file, ec).type() == fs::file_type::not_found)
    return {};
  return fail(errc::invalid_request, "FILE",
    "expected a name that is free, but there is something at " + file.string());
}

caf::error check_copy(const fs::path& file) {
  if (auto err = check_is_ours(file))
    return err;
  try {
    SQLite::Database db{file.string(), SQLite::OPEN_READONLY, busy_ms};
    return check_pages(db, {});
  } catch (const std::exception& x) {
    return cannot_copy(file, x.what());
  }
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

caf::expected<uint64_t> pack_files(
  const std::filesystem::path& files, store& to, const file_failure& failed) {
  auto agents = to.agents();
  if (!agents)
    return agents.error();
  uint64_t count = 0;
  for (const auto& agent_id : *agents) {
    auto told = [&](const std::string& path, const caf::error& why) {
      return failed ? failed(agent_id, path, why) : why;
    };
    packer one{files, to, agent_id};
    auto paths = one.list();
    if (!paths) {
      if (auto err = told("", paths.error()))
        return err;
      continue;
    }
    for (const auto& path : *paths) {
      auto packed = one.pack(path);
      if (packed)
        count += *packed ? 1 : 0;
      else if (auto err = told(path, packed.error()))
        return err;
    }
  }
  return count;
}

caf::error unpack_files(sql_store& from, const std::filesystem::path& files) {
  auto agents = from.agents_with(std::string{collection::files});
  if (!agents)
    return agents.error();
  for (const auto& agent_id : *agents) {
    auto agent = from.find_agent(agent_id);
    if (!agent)
      return agent.error();
    if (*agent)
      if (auto err = unpack(from, agent_id, **agent, files))
        return err;
  }
  return {};
}

caf::error unpack_files_of(const data_directory& x) {
  auto opened = sql_store::open(sql::sqlite(x.database()));
  return opened ? unpack_files(**opened, x.files()) : opened.error();
}

} // namespace scratchpage
