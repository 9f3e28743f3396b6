#pragma once

#include <filesystem>
#include <system_error>
#include <utility>

namespace scratchpage {

/// A database that goes with this object, and whatever SQLite has beside it; also
/// what an earlier process left there.
class temporary_database {
public:
  explicit temporary_database(std::filesystem::path path)
    : path_{std::move(path)} {
    remove();
  }
  temporary_database(const temporary_database&) = delete;
  temporary_database& operator=(const temporary_database&) = delete;
  ~temporary_database() { remove(); }

  const std::filesystem::path& path() const { return path_; }

private:
  void remove() const {
    std::error_code ignored;
    for (const auto* end : {"", "-wal", "-shm", "-journal", "-mark"})
      std::filesystem::remove(path_.string() + end, ignored);
  }

  std::filesystem::path path_;
};

} // namespace scratchpage
