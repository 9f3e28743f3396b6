#include "scratchpage/runtime/http/descriptors.hpp"

#include <algorithm>

#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

namespace scratchpage::http {

namespace {

constexpr uint64_t usual_reserve = 256;
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
  return std::min(usual_reserve, limit / 2);
}

bool is_in_reserve(int descriptor) {
  auto limit = descriptor_limit();
  return static_cast<uint64_t>(descriptor) >= limit - reserved_descriptors(limit);
}

bool are_descriptors_scarce() {
  auto next = ::eventfd(0, EFD_CLOEXEC);
  if (next < 0)
    return true;
  ::close(next);
  return is_in_reserve(next);
}

} // namespace scratchpage::http
