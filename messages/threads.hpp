#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>

#include <caf/error.hpp>
#include <caf/expected.hpp>

namespace scratchpage {

/// Starts a thread. Error: `overloaded` about `threads` if the system gives this process no more.
caf::expected<std::thread> start_thread(std::function<void()> run);

/// As above, for constructors: throws `std::system_error` instead.
std::thread require_thread(std::function<void()> run);

/// Checks whether `count` more threads can be started now, by starting and ending them. Errors: as
/// `start_thread`.
caf::error check_threads(size_t count);

/// Special counts for `pretend_threads_left`.
struct pretended_threads {
  static constexpr int64_t none = -1;            ///< nothing is pretended
  static constexpr int64_t only_to_look_at = -2; ///< `check_threads` succeeds, starting one fails
};

/// For tests: pretends that the system gives this process only `count` more threads at a time.
void pretend_threads_left(int64_t count);

/// Lowers the priority of the calling thread for good: only a privileged process could raise it
/// again. The thread then gets a third of a core that others want, too, and all of a core that
/// nobody else wants. It is for threads that write in the background: otherwise requests would wait
/// for them until the next tick of the system, some milliseconds. It does nothing where threads
/// have no priorities of their own.
void lower_thread_priority() noexcept;

/// Gives the calling thread shorter time slices, so that it runs soon after it is woken, also while
/// all cores are busy. It gets no more time in total. It is for threads that do little at a time
/// and that somebody waits for: otherwise each wake-up waits for the end of another thread's time
/// slice, some milliseconds. Threads that it starts are not affected. It needs Linux 6.12;
/// elsewhere it does nothing.
void take_short_turns() noexcept;

} // namespace scratchpage
