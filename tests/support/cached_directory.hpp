#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/tests/support/chance.hpp"

namespace scratchpage::test {

/// A directory behind a cache: it maps names to files. Adding or removing a name is durable only
/// after the directory was synced; syncing the file is not enough. Until then a power cut may
/// undo each change independently.
template <class File>
class cached_directory {
public:
  using file_ptr = std::shared_ptr<File>;

  /// Null if no file has the name.
  file_ptr find(const std::string& name) const {
    auto i = seen_.find(name);
    return i == seen_.end() ? nullptr : i->second;
  }

  void add(const std::string& name, file_ptr file) { change(name, std::move(file)); }
  void remove(const std::string& name) { change(name, nullptr); }

  /// Makes every change durable.
  void sync() {
    durable_ = seen_;
    unsynced_.clear();
  }

  void lose_power(chance& by) {
    for (auto& [name, file] : unsynced_)
      if (by.one_in(2))
        set(durable_, name, std::move(file));
    unsynced_.clear();
    seen_ = durable_;
  }

  template <class F>
  void for_each(F f) const {
    for (const auto& [name, file] : seen_)
      f(*file);
  }

private:
  using names = std::map<std::string, file_ptr>;

  static void set(names& in, const std::string& name, file_ptr file) {
    if (file)
      in[name] = std::move(file);
    else
      in.erase(name);
  }

  void change(const std::string& name, file_ptr file) {
    unsynced_.emplace_back(name, file);
    set(seen_, name, std::move(file));
  }

  names seen_;
  names durable_;
  std::vector<std::pair<std::string, file_ptr>> unsynced_; // null: the name was removed
};

} // namespace scratchpage::test
