#include "scratchpage/runtime/net/http/descriptors.hpp"

#include <algorithm>

#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

namespace scratchpage::http {

namespace {

constexpr uint64_t usual_reserve = 256;
/// A server that has just begun takes twenty-five.
constexpr uint64_t least_reserve = 40;
/// Beyond that nobody needs any, and who starts a program closes as many.
constexpr rlim_t most_wanted = 65'536;

} // namespace

uint64_t raise_descriptor_limit() {
  struct rlimit now {};
  if (::getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur < std::min(now.rlim_max, most_wanted)) {
    now.rlim_cur = std::min(now.rlim_max, most_wanted);
    ::setrlimit(RLIMIT_NOFILE, &now);
  }
  return descriptor_limit();
}

uint64_t descriptor_limit() {
  struct rlimit now {};
  return ::getrlimit(RLIMIT_NOFILE, &now) == 0 ? now.rlim_cur : RLIM_INFINITY;
}

uint64_t reserved_descriptors(uint64_t limit) {
  return std::min(std::clamp(limit / 4, least_reserve, usual_reserve), limit / 2);
}

descriptor_plan descriptor_plan::of(uint64_t limit, uint64_t of_agent, uint64_t most_agents) {
  auto rest = limit - reserved_descriptors(limit);
  auto agents =
    of_agent == 0 ? most_agents : std::clamp<uint64_t>(rest / 3 / of_agent, 1, most_agents);
  auto taken = std::min(agents * of_agent, rest / 2); // one agent with many tools
  return {agents, std::max<uint64_t>(1, rest - taken)};
}

bool is_in_reserve(int descriptor) {
  auto limit = descriptor_limit();
  return static_cast<uint64_t>(descriptor) >= limit - reserved_descriptors(limit) / 4;
}

bool are_descriptors_scarce() {
  auto next = ::eventfd(0, EFD_CLOEXEC);
  if (next < 0)
    return true;
  ::close(next);
  return is_in_reserve(next);
}

} // namespace scratchpage::http
