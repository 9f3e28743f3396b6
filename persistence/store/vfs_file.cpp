#include "scratchpage/persistence/store/vfs_file.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <sqlite3.h>

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

namespace {

sqlite3_vfs& find_vfs(const std::string& name) {
  auto* found = sqlite3_vfs_find(name.empty() ? nullptr : name.c_str());
  if (found == nullptr)
    throw failure{"SQLite knows no VFS of the name '" + name + "'"};
  return *found;
}

std::string full_name(sqlite3_vfs& vfs, const std::filesystem::path& file) {
  std::string name(static_cast<size_t>(vfs.mxPathname) + 1, '\0');
  if (vfs.xFullPathname(&vfs, file.c_str(), static_cast<int>(name.size()), name.data())
      > SQLITE_OK_SYMLINK)
    throw failure{file.string() + " has a name that is too long"};
  name.resize(name.find('\0'));
  return name;
}

} // namespace

vfs_file::vfs_file(sqlite3_vfs& vfs, std::string name)
  : vfs_{vfs},
    name_{std::move(name)},
    memory_(static_cast<size_t>(vfs.szOsFile) / sizeof(std::max_align_t) + 1) {}

vfs_file::~vfs_file() {
  if (file()->pMethods != nullptr)
    file()->pMethods->xClose(file());
}

void vfs_file::check(int code, const char* what) const {
  if (code != SQLITE_OK)
    throw failure{name_ + " cannot be " + what + ": " + sqlite3_errstr(code)};
}

/// SQLite's own VFS syncs the folder of what it takes for a log, and gives it the mode
/// of its database.
void vfs_file::open(int flags) {
  check(vfs_.xOpen(
          &vfs_, name_.c_str(), file(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL | flags, nullptr),
    "opened");
}

std::unique_ptr<vfs_file> vfs_file::open(
  const std::filesystem::path& file, const std::string& vfs) {
  auto& in = find_vfs(vfs);
  std::unique_ptr<vfs_file> result{new vfs_file{in, full_name(in, file)}};
  auto is_there = 0;
  result->check(
    in.xAccess(&in, result->name_.c_str(), SQLITE_ACCESS_EXISTS, &is_there), "looked for");
  if (is_there == 0)
    return nullptr;
  result->open(0);
  return result;
}

std::unique_ptr<vfs_file> vfs_file::make(
  const std::filesystem::path& file, const std::string& vfs) {
  auto& in = find_vfs(vfs);
  std::unique_ptr<vfs_file> result{new vfs_file{in, full_name(in, file)}};
  result->open(SQLITE_OPEN_CREATE);
  return result;
}

std::string vfs_file::read(size_t most) {
  sqlite3_int64 size = 0;
  check(file()->pMethods->xFileSize(file(), &size), "read");
  std::string result(std::min(static_cast<size_t>(size), most), '\0');
  if (!result.empty())
    check(
      file()->pMethods->xRead(file(), result.data(), static_cast<int>(result.size()), 0), "read");
  return result;
}

bool vfs_file::write(std::string_view bytes, uint64_t at) noexcept {
  return file()->pMethods->xWrite(
           file(), bytes.data(), static_cast<int>(bytes.size()), static_cast<sqlite3_int64>(at))
         == SQLITE_OK;
}

void vfs_file::resize(uint64_t size) {
  check(file()->pMethods->xTruncate(file(), static_cast<sqlite3_int64>(size)), "cut short");
}

void vfs_file::sync() {
  check(file()->pMethods->xSync(file(), SQLITE_SYNC_NORMAL), "synced");
}

} // namespace scratchpage::sql
