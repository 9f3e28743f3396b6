#pragma once

#include <cstdint>

#include <sqlite3.h>

#include "scratchpage/tests/support/faulty_disk.hpp"

namespace scratchpage::test {

/// Registers a disk with SQLite under its name, and removes it at the end of its life.
class faulty_vfs {
public:
  faulty_vfs(faulty_disk& disk, uint64_t seed);
  ~faulty_vfs();
  faulty_vfs(const faulty_vfs&) = delete;
  faulty_vfs& operator=(const faulty_vfs&) = delete;

  // -- called by SQLite -------------------------------------------------------------------

  int open(const char* name, sqlite3_file* file, int flags);
  int remove(const std::string& name, bool sync_directory);
  int exists(const std::string& name, int& result);
  int fill_with_noise(char* to, int count);

private:
  int make(const std::string& name, std::shared_ptr<disk_file>& result);

  faulty_disk& disk_;
  sqlite3_vfs vfs_{};
};

} // namespace scratchpage::test
