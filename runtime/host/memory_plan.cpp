#include "scratchpage/runtime/host/memory_plan.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"

namespace scratchpage {

namespace {

constexpr auto unknown = std::numeric_limits<uint64_t>::max();

/// The number in a file that has only a number; `unknown` for "max", or if there is no such file.
uint64_t number_in(const std::string& path) {
  std::ifstream file{path};
  uint64_t result = 0;
  return file >> result ? result : unknown;
}

/// The smallest limit of a group and the groups around it.
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

constexpr uint64_t usual_max = uint64_t{4} << 30;
/// No limit is lowered further.
constexpr uint64_t least = uint64_t{1} << 20;

void lower(uint64_t& x, uint64_t to) {
  x = std::min(x, std::max(to, least));
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

uint64_t max_memory(const memory_config& x) {
  return x.max_bytes > 0 ? x.max_bytes : std::min(usual_max, memory_of_system() / 2);
}

memory_plan memory_plan::of(uint64_t max, size_t programs) {
  auto each = 2 * agent_bytes + programs * program_bytes;
  auto agents = std::clamp<uint64_t>(max / each, 1, agent_host::max_agents);
  return {max / 4, static_cast<size_t>(agents)};
}

config memory_plan::fitted(config x, uint64_t max) {
  lower(x.http.max_bodies_bytes, max / 8);
  lower(x.http.max_body_bytes, x.http.max_bodies_bytes);
  lower(x.http.max_answers_bytes, max / 8);
  lower(x.http.max_batch_bytes, x.http.max_answers_bytes / 2);
  lower(x.http.max_answer_bytes, x.http.max_batch_bytes);
  lower(x.page.max_bytes, max / 4);
  lower(x.page.max_bytes_per_source, max / 16);
  lower(x.page.log_bytes, max / 16);
  lower(x.page.turn_bytes, max / 16);
  lower(x.page.archive_bytes, max / 16);
  lower(x.episodic.max_memory_bytes, max / 16);
  lower(x.scratchbook.open_bytes, max / 16);
  lower(x.turns.kept_bytes, max / 64);
  lower(x.frontal_cortex.max_bytes, max / 64);
  lower(x.frontal_cortex.max_bytes_per_source, max / 512);
  lower(x.semantic.max_bytes, max / 256);
  return x;
}

memory_watch::memory_watch(uint64_t max, std::function<uint64_t()> resident)
  : max_{max},
    resident_{std::move(resident)} {}

caf::error memory_watch::check(time_point now) const {
  auto next = next_look_.load(std::memory_order_relaxed);
  if (now >= next && next_look_.compare_exchange_strong(next, now + between_looks))
    is_over_ = resident_() > max_;
  if (!is_over_.load(std::memory_order_relaxed))
    return {};
  return fail(errc::overloaded, "memory",
    "expected the server to have less than " + std::to_string(max_)
      + " bytes of memory; requests that only read are answered");
}

} // namespace scratchpage
