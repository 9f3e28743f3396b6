#include "scratchpage/persistence/store/sqlite_connection.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/private_file.hpp"

namespace scratchpage {

namespace {

/// Returns the system's error code, or 0.
int sync_and_drop(int file) {
  if (::fsync(file) != 0)
    return errno;
  // Only clean pages are dropped; after the sync all of them are clean.
  return ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
}

} // namespace

void drop_page_cache(const std::filesystem::path& file) {
  auto opened = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  auto code = opened < 0 ? errno : sync_and_drop(opened);
  if (opened >= 0)
    ::close(opened);
  if (code != 0 && code != ENOENT)
    throw std::filesystem::filesystem_error{
      "reading from the disk", file, std::error_code{code, std::system_category()}};
}

} // namespace scratchpage

namespace scratchpage::sql {

namespace {

constexpr auto pragmas = R"(
  PRAGMA journal_mode = WAL;
  PRAGMA secure_delete = ON;
)";

constexpr int busy_ms = 5'000; // another connection of this process may checkpoint

constexpr size_t prepared_kept = 128; // ranges of archives give any number of statements

/// Four times SQLite's default: fewer commits are slowed by a checkpoint, and reading a log of that
/// size at recovery still takes little time.
constexpr int frames_before_checkpoint = 4'000;

constexpr int64_t frame = 24 + 4'096;  // header and page
constexpr int64_t enough = 16 * frame; // for a commit of one or a few additions
constexpr int64_t min_extension = 256 * int64_t{1024};
constexpr int64_t max_extension = 4 * int64_t{1024} * 1024; // the next sync writes it, too

constexpr int piece = 64 * 1024; // SQLite's own VFS cannot write 128 KB at once
constexpr std::array<char, piece> zeros{};

sqlite3_file* log_of(sqlite3* db) {
  sqlite3_file* result = nullptr;
  auto status = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &result);
  return status == SQLITE_OK && result != nullptr && result->pMethods != nullptr ? result : nullptr;
}

/// Manages the write-ahead log of a connection: runs a checkpoint when the log has grown, and
/// extends the log before commits need the room.
///
/// If a sync has to write a new length of the file, it writes the journal of the file system, too,
/// and takes 1.5 to 2 times as long (ext4). SQLite starts again at the front of the log after each
/// checkpoint, so the log is extended only a few times. The extension is zeros, which no reader
/// takes for a commit: frames have the salt of the log and a checksum (SQLite's file format,
/// section 4.4).
class write_ahead_log {
public:
  /// For the database "main" of `db`, which must outlive this object.
  explicit write_ahead_log(sqlite3* db);
  write_ahead_log(const write_ahead_log&) = delete;
  write_ahead_log& operator=(const write_ahead_log&) = delete;

  /// Extends the log for the next commit. Call it only in a transaction that may write, so that
  /// nobody else writes to the log meanwhile. If the log cannot be extended, that is no failure:
  /// the commit fails if it needs the room.
  void make_room();

private:
  void take_used(int64_t bytes);
  void checkpoint_if_due(const char* name, int frames);
  static int on_commit(void* me, sqlite3* db, const char* name, int frames);

  sqlite3* db_;
  int64_t used_ = 0; ///< bytes after the last commit of this connection; others may have added some
  /// The smallest length that the file may have. The length is not read for each commit: with the
  /// fine-grained times of Linux 6.13, each write after such a call changes the inode, which the
  /// next sync then has to write, too.
  int64_t length_ = 0;
  /// The length of the log, in frames, at which the next checkpoint is tried.
  int next_checkpoint_ = frames_before_checkpoint;
};

write_ahead_log::write_ahead_log(sqlite3* db)
  : db_{db} {
  sqlite3_wal_hook(db_, on_commit, this);
}

void write_ahead_log::make_room() {
  if (used_ == 0) // a program that commits only once needs no room
    return;
  if (length_ - used_ >= enough)
    return;
  auto* log = log_of(db_);
  sqlite3_int64 length = 0;
  if (log == nullptr || log->pMethods->xFileSize(log, &length) != SQLITE_OK)
    return;
  length_ = length;
  if (length - used_ >= enough)
    return;
  auto end = length + std::clamp(int64_t{length}, min_extension, max_extension);
  for (auto at = length; at < end; at += piece)
    if (log->pMethods->xWrite(log, zeros.data(), piece, at) != SQLITE_OK)
      return;
  length_ = end;
}

void write_ahead_log::take_used(int64_t bytes) {
  if (bytes < used_) // the log has started again, and may have been truncated
    length_ = 0;
  used_ = bytes;
}

int write_ahead_log::on_commit(void* me, sqlite3*, const char* name, int frames) {
  auto& log = *static_cast<write_ahead_log*>(me);
  log.take_used(frames * frame);
  log.checkpoint_if_due(name, frames);
  return SQLITE_OK;
}

/// Runs a checkpoint when the log has grown. While somebody reads from an old state, the log cannot
/// begin again, and each attempt sorts all of it and syncs it; so the next one is made only when
/// the log has grown by as much again, and commits do not wait for it each time.
void write_ahead_log::checkpoint_if_due(const char* name, int frames) {
  if (frames < next_checkpoint_ - frames_before_checkpoint) // the log has begun again
    next_checkpoint_ = frames_before_checkpoint;
  if (frames < next_checkpoint_)
    return;
  int in_log = 0, moved = 0;
  sqlite3_wal_checkpoint_v2(db_, name, SQLITE_CHECKPOINT_PASSIVE, &in_log, &moved);
  next_checkpoint_ = moved < in_log ? frames + frames_before_checkpoint : frames_before_checkpoint;
}

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
      db_.exec(pragmas);
      db_.exec(options.synced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    });
  }

  sql::dialect dialect() const override { return sql::dialect::sqlite; }

  std::string type_of_bytes() const override { return "BLOB"; }

  std::string random_number() const override { return "random()"; }

  /// Otherwise the last connection to be closed would move the log into the database and remove it.
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
      // The statement releases its locks and arguments, however it ends.
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
    } catch (const failure&) { // after some failures SQLite has rolled back already
      is_alive_ = sqlite3_get_autocommit(db_.getHandle()) != 0;
    }
    try {
      if (has_failed_commit_)
        empty_log();
    } catch (const failure&) { // begin tries again
    }
  }

  /// Truncates the log. Deleted rows are overwritten in the database, but are in the log until
  /// then.
  void scrub(const std::vector<std::string>&) override {
    auto is_busy = false;
    run("PRAGMA wal_checkpoint(TRUNCATE)", {}, [&](const row& x) { is_busy = x.integer(0) != 0; });
    if (is_busy)
      throw failure{"the log could not be truncated while others read or write"};
  }

  bool is_alive() const override { return is_alive_; }

private:
  /// Moves the committed part of the log into the database and empties the log. Readers may prevent
  /// that, which is no failure: the next commit then overwrites the failed one.
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
    if (prepared_.size() >= prepared_kept)
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
  /// A failed commit may be complete in the log. Only a process that reads the log from its
  /// beginning would see it.
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
    // The cache is dropped first, because SQLite takes what it finds in the log for committed.
    if (options.vfs.empty())
      make_database_private(file);
    auto log = file;
    log += "-wal";
    options.drop_page_cache(log);
    return std::make_unique<sqlite_connection>(file, options);
  };
}

} // namespace scratchpage::sql
