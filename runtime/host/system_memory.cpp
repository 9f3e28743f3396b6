#include "scratchpage/runtime/host/system_memory.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include <unistd.h>

namespace scratchpage {

namespace {

constexpr auto unknown = std::numeric_limits<uint64_t>::max();

/// The number in a file that has nothing else; `unknown` for "max", or if there is no such file.
uint64_t number_in(const std::string& path) {
  std::ifstream file{path};
  uint64_t result = 0;
  return file >> result ? result : unknown;
}

/// The least that the group and those around it allow.
uint64_t limit_of_group(const std::string& root, std::string path, std::string_view file) {
  auto result = unknown;
  while (true) {
    result = std::min(result, number_in(root + path + "/" + std::string{file}));
    auto end = path.rfind('/');
    if (end == std::string::npos)
      return result;
    path.resize(end);
  }
}

/// Lines of /proc/self/cgroup are "0::/path" (version 2) and "4:memory:/path" (version 1).
uint64_t limit_of_groups() {
  auto result = unknown;
  std::ifstream groups{"/proc/self/cgroup"};
  for (std::string line; std::getline(groups, line);) {
    auto names = line.find(':');
    auto path = names == std::string::npos ? names : line.find(':', names + 1);
    if (path == std::string::npos)
      continue;
    auto controllers = "," + line.substr(names + 1, path - names - 1) + ",";
    auto group = line.substr(path + 1);
    if (group == "/")
      group.clear();
    if (controllers == ",,")
      result = std::min(result, limit_of_group("/sys/fs/cgroup", group, "memory.max"));
    else if (controllers.find(",memory,") != std::string::npos)
      result =
        std::min(result, limit_of_group("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
  }
  return result;
}

} // namespace

uint64_t memory_of_system() {
  auto pages = ::sysconf(_SC_PHYS_PAGES);
  auto page = ::sysconf(_SC_PAGESIZE);
  auto machine =
    pages > 0 && page > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page) : unknown;
  return std::min(machine, limit_of_groups());
}

uint64_t resident_memory() {
  std::ifstream file{"/proc/self/statm"};
  uint64_t all = 0;
  uint64_t resident = 0;
  if (!(file >> all >> resident))
    return 0;
  return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace scratchpage
