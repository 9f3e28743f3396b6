#include "scratchpage/runtime/host/memory_watch.hpp"

#include <string>
#include <utility>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

memory_watch::memory_watch(uint64_t most, std::function<uint64_t()> resident)
  : most_{most},
    resident_{std::move(resident)} {}

caf::error memory_watch::check(time_point now) const {
  auto next = next_look_.load(std::memory_order_relaxed);
  if (now >= next && next_look_.compare_exchange_strong(next, now + between_looks))
    is_over_ = resident_() > most_;
  if (!is_over_.load(std::memory_order_relaxed))
    return {};
  return fail(errc::overloaded, "memory",
    "expected the server to have less than " + std::to_string(most_)
      + " bytes of memory; what only reads is answered");
}

} // namespace scratchpage
