#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>

#include <caf/error.hpp>
#include <caf/expected.hpp>

namespace scratchpage {

/// Starts a thread. `overloaded` about `threads` if the system gives no more to this process.
caf::expected<std::thread> start_thread(std::function<void()> run);

/// As above, where a constructor has to begin one: throws the system's `std::system_error`.
std::thread require_thread(std::function<void()> run);

/// Whether so many could be started now, beside those that run: it starts and ends them. Errors:
/// as of `start_thread`.
caf::error check_threads(size_t count);

/// What `pretend_threads_left` takes beside a count.
struct pretended_threads {
  static constexpr int64_t none = -1;            ///< it is as it is
  static constexpr int64_t only_to_look_at = -2; ///< enough to check, and gone afterwards
};

/// For tests: as if the system gave this process so many more threads at a time.
void pretend_threads_left(int64_t count);

} // namespace scratchpage
