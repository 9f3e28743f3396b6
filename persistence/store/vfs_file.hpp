#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3_file;
struct sqlite3_vfs;

namespace scratchpage::sql {

/// A file beside an SQLite database, which is read and written through the same VFS: what
/// a test says of the disk below SQLite holds for this file, too. It gets the mode of its
/// database, whose name it has before its last "-". Whoever fails throws `failure`.
class vfs_file {
public:
  /// Null if there is no such file, or nothing in it. `vfs`: "" is the system's own.
  static std::unique_ptr<vfs_file> open(const std::filesystem::path& file, const std::string& vfs);
  /// Makes the file if it is not there; its name is durable with its first sync.
  static std::unique_ptr<vfs_file> make(const std::filesystem::path& file, const std::string& vfs);

  vfs_file(const vfs_file&) = delete;
  vfs_file& operator=(const vfs_file&) = delete;
  ~vfs_file();

  /// At most `most` bytes from the beginning.
  std::string read(size_t most);
  /// False if it cannot be written, or only a part of it.
  bool write(std::string_view bytes, uint64_t at) noexcept;
  void resize(uint64_t size);
  void sync();

private:
  vfs_file(sqlite3_vfs& vfs, std::string name);
  void open(int flags);
  sqlite3_file* file() { return reinterpret_cast<sqlite3_file*>(memory_.data()); }
  void check(int code, const char* what) const;

  sqlite3_vfs& vfs_;
  std::string name_; // the VFS refers to it as long as the file is open
  std::vector<std::max_align_t> memory_;
};

} // namespace scratchpage::sql
