#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "scratchpage/tests/support/faulty_disk.hpp"

namespace scratchpage::test {

/// A file of a faulty disk that a connection has open. The calls return SQLite's result codes.
/// Every call of a dead process fails.
class open_file {
public:
  /// `syncs_directory`: the file is new, so its first sync also syncs the directory.
  /// `removed_at_end`: the name that closing the file removes, or "".
  open_file(faulty_disk& disk, std::shared_ptr<disk_file> file, bool syncs_directory,
    std::string removed_at_end);
  ~open_file();
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;

  /// Fills `to`. Bytes beyond the end of the file become zero, and the result says so.
  int read(char* to, int count, int64_t offset);
  int write(std::string_view bytes, int64_t offset);
  int resize(int64_t size);
  int sync();
  int size(int64_t& result);
  bool overwrites_safely() const { return disk_.traits_.overwrites_safely; }

  int lock(int level);
  int unlock(int level);
  int is_reserved(int& result);

  int map(int region, int size, bool make, volatile void*& result);
  int lock_index(int first, int count, int flags);
  void unmap();

private:
  using fate = faulty_disk::fate;
  using operation = faulty_disk::operation;

  bool is_useless() const;
  fate next(operation x);

  faulty_disk& disk_;
  std::shared_ptr<disk_file> file_;
  std::shared_ptr<shared_memory> index_;
  uint64_t process_;
  bool syncs_directory_;
  std::string removed_at_end_;
};

} // namespace scratchpage::test
