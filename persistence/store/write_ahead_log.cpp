#include "scratchpage/persistence/store/write_ahead_log.hpp"

#include <algorithm>
#include <array>

#include <sqlite3.h>

namespace scratchpage::sql {

namespace {

/// A commit that syncs 4 MB of log now and then would be felt; one that reads
/// four times as much at recovery is not.
constexpr int frames_before_checkpoint = 4'000;

constexpr int64_t frame = 24 + 4'096;  // header and page
constexpr int64_t enough = 16 * frame; // for a commit of one or few additions
constexpr int64_t least_made = 256 * int64_t{1024};
constexpr int64_t most_made = 4 * int64_t{1024} * 1024; // which the next sync writes, too

constexpr int piece = 64 * 1024; // SQLite's own files take no 128 KB at once
constexpr std::array<char, piece> zeros{};

sqlite3_file* log_of(sqlite3* db) {
  sqlite3_file* result = nullptr;
  auto status = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &result);
  return status == SQLITE_OK && result != nullptr && result->pMethods != nullptr ? result : nullptr;
}

} // namespace

write_ahead_log::write_ahead_log(sqlite3* db)
  : db_{db} {
  sqlite3_wal_hook(db_, on_commit, this);
}

void write_ahead_log::make_room() {
  if (used_ == 0) // a program that commits once needs none
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
  auto end = length + std::clamp(int64_t{length}, least_made, most_made);
  for (auto at = length; at < end; at += piece)
    if (log->pMethods->xWrite(log, zeros.data(), piece, at) != SQLITE_OK)
      return;
  length_ = end;
}

void write_ahead_log::take_used(int64_t bytes) {
  if (bytes < used_) // it has begun anew, and may have been cut off
    length_ = 0;
  used_ = bytes;
}

int write_ahead_log::on_commit(void* me, sqlite3* db, const char* name, int frames) {
  static_cast<write_ahead_log*>(me)->take_used(frames * frame);
  // As SQLite's own hook: a checkpoint that others keep from ending is tried again.
  if (frames >= frames_before_checkpoint)
    sqlite3_wal_checkpoint(db, name);
  return SQLITE_OK;
}

} // namespace scratchpage::sql
