#pragma once

#include <cstdint>

struct sqlite3;

namespace scratchpage::sql {

/// Looks after the write-ahead log of a connection: moves it into the database when
/// it has grown, and makes it longer before commits need the room.
///
/// A sync that has to keep a file's new length, too, writes the file system's own
/// journal beside the data and takes half as long again or twice as long (ext4).
/// SQLite begins again at the front of the log after each checkpoint, so that room is
/// made a few times only. It is zeros, which no reader takes for a commit: frames
/// carry the log's salt and a checksum (SQLite's file format, section 4.4).
class write_ahead_log {
public:
  /// Of the database "main"; `db` must outlive it.
  explicit write_ahead_log(sqlite3* db);
  write_ahead_log(const write_ahead_log&) = delete;
  write_ahead_log& operator=(const write_ahead_log&) = delete;

  /// For the commit that follows. Only in a transaction that may write, so that
  /// nobody else writes to the log meanwhile. Room that cannot be made is no failure:
  /// the commit finds out whether it needs it.
  void make_room();

private:
  void take_used(int64_t bytes);
  static int on_commit(void* me, sqlite3* db, const char* name, int frames);

  sqlite3* db_;
  int64_t used_ = 0; ///< bytes after the last commit here; others may have added to them
  /// Of the file, at least, when it was last asked for. It is not asked for each commit:
  /// where a file's times are as fine as needed to tell changes apart (Linux 6.13), each
  /// write after a look at them changes its inode, and the sync writes that, too.
  int64_t length_ = 0;
};

} // namespace scratchpage::sql
