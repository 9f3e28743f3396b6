#include "scratchpage/persistence/store/sqlite_connection.hpp"

#include <system_error>
#include <unordered_map>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/private_file.hpp"
#include "scratchpage/persistence/store/write_ahead_log.hpp"

namespace scratchpage::sql {

namespace {

constexpr auto settings = R"(
  PRAGMA journal_mode = WAL;
  PRAGMA secure_delete = ON;
)";

constexpr int busy_ms = 5'000; // another connection of this process may checkpoint

constexpr size_t statements_kept = 128; // ranges of archives have no end of forms

class sqlite_row : public row {
public:
  explicit sqlite_row(SQLite::Statement& of)
    : of_{of} {}
  int64_t integer(int column) const override { return of_.getColumn(column).getInt64(); }
  std::string text(int column) const override {
    auto cell = of_.getColumn(column);
    const auto* bytes = cell.getText(); // first, since it may change the size
    return {bytes, static_cast<size_t>(cell.getBytes())};
  }
  std::string bytes(int column) const override {
    auto cell = of_.getColumn(column);
    const auto* begin = static_cast<const char*>(cell.getBlob()); // null if there are none
    return {begin, begin + cell.getBytes()};
  }

private:
  SQLite::Statement& of_;
};

class sqlite_connection : public connection {
public:
  sqlite_connection(const std::filesystem::path& file, const sqlite_options& options)
    : db_{open(file, options)},
      log_{db_.getHandle()},
      is_synced_{options.synced} {
    guard([&] {
      db_.exec(settings);
      db_.exec(options.synced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    });
  }

  std::string type_of_bytes() const override { return "BLOB"; }

  std::string random_number() const override { return "random()"; }

  /// The last connection that ends would move the log into the database and remove it.
  void leave_files() override {
    sqlite3_db_config(db_.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  }

  void script(const std::string& statements) override {
    guard([&] { db_.exec(statements); });
  }

  int64_t run(const std::string& statement, std::span<const argument> arguments,
    const std::function<void(const row&)>& f) override {
    return guard([&]() -> int64_t {
      auto& prepared = prepare(statement);
      // The statement lets go of its locks and arguments, however it ends.
      auto reset = [](SQLite::Statement* x) { x->tryReset(); };
      std::unique_ptr<SQLite::Statement, decltype(reset)> use{&prepared, reset};
      for (size_t i = 0; i < arguments.size(); ++i)
        bind(prepared, static_cast<int>(i) + 1, arguments[i]);
      sqlite_row here{prepared};
      while (prepared.executeStep())
        if (f)
          f(here);
      return db_.getChanges();
    });
  }

  void begin(bool) override {
    if (has_failed_commit_)
      empty_log();
    run("BEGIN IMMEDIATE", {}, {});
    may_write_ = true;
  }

  void begin_reading() override {
    run("BEGIN", {}, {});
    may_write_ = false;
  }

  void commit() override {
    if (is_synced_ && may_write_)
      log_.make_room();
    try {
      run("COMMIT", {}, {});
    } catch (const failure&) {
      has_failed_commit_ = true;
      throw;
    }
  }

  void rollback() noexcept override {
    try {
      run("ROLLBACK", {}, {});
    } catch (const failure&) { // some failures have rolled back already
      is_alive_ = sqlite3_get_autocommit(db_.getHandle()) != 0;
    }
    try {
      if (has_failed_commit_)
        empty_log();
    } catch (const failure&) { // begin tries again
    }
  }

  /// Deleted rows are overwritten in the database; the log has what they were
  /// until it is cut off.
  void scrub(const std::vector<std::string>&) override {
    auto is_busy = false;
    run("PRAGMA wal_checkpoint(TRUNCATE)", {}, [&](const row& x) { is_busy = x.integer(0) != 0; });
    if (is_busy)
      throw failure{"the log could not be cut off while others read or write"};
  }

  bool is_alive() const override { return is_alive_; }

private:
  /// Moves what is committed from the log into the database; nothing else is left
  /// of it. Readers may keep it from being emptied, which is no failure: the next
  /// commit stands where the failed one did.
  void empty_log() {
    run("PRAGMA wal_checkpoint(TRUNCATE)", {}, {});
    has_failed_commit_ = false;
  }

  static SQLite::Database open(const std::filesystem::path& file, const sqlite_options& options) {
    return guard([&] {
      return SQLite::Database{
        file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_ms, options.vfs};
    });
  }

  template <class F>
  static auto guard(F f) -> decltype(f()) {
    try {
      return f();
    } catch (const SQLite::Exception& err) {
      if (err.getErrorCode() == SQLITE_TOOBIG)
        throw unkeepable{err.what()};
      throw failure{err.what()};
    }
  }

  SQLite::Statement& prepare(const std::string& statement) {
    if (auto i = prepared_.find(statement); i != prepared_.end())
      return i->second;
    if (prepared_.size() >= statements_kept)
      prepared_.erase(prepared_.begin());
    return prepared_.emplace(statement, SQLite::Statement{db_, statement}).first->second;
  }

  static void bind(SQLite::Statement& to, int index, const argument& x) {
    if (const auto* number = std::get_if<int64_t>(&x))
      to.bind(index, *number);
    else if (const auto* blob = std::get_if<bytes>(&x))
      to.bindNoCopy(index, blob->of->data(), static_cast<int>(blob->of->size()));
    else
      to.bindNoCopy(index, *std::get<const std::string*>(x));
  }

  SQLite::Database db_;
  write_ahead_log log_;
  bool is_synced_;
  bool may_write_ = false; ///< in the transaction that is open
  std::unordered_map<std::string, SQLite::Statement> prepared_;
  bool is_alive_ = true;
  /// It may stand in the log, whole. Nobody sees it but who reads the log anew: the
  /// next process.
  bool has_failed_commit_ = false;
};

} // namespace

void make_database_private(const std::filesystem::path& file) {
  std::error_code ec;
  auto found = std::filesystem::symlink_status(file, ec).type();
  if (found == std::filesystem::file_type::symlink)
    throw failure{file.string() + " is a link; expected the file itself"};
  if (found != std::filesystem::file_type::not_found)
    return;
  if (auto err = make_private(file); err && !std::filesystem::exists(file, ec))
    throw failure{describe(err)};
}

connector sqlite(std::filesystem::path file, sqlite_options options) {
  return [file = std::move(file), options = std::move(options)]() -> std::unique_ptr<connection> {
    // SQLite takes for committed what it finds in the log of an earlier process.
    if (options.vfs.empty())
      make_database_private(file);
    auto log = file;
    log += "-wal";
    options.see_disk(log);
    return std::make_unique<sqlite_connection>(file, options);
  };
}

} // namespace scratchpage::sql
