#include "scratchpage/messages/threads.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

std::atomic<int64_t> pretended = pretended_threads::none;

void refuse_if_pretended(int64_t running, bool to_look_at) {
  auto left = pretended.load(std::memory_order_relaxed);
  auto refused =
    left == pretended_threads::only_to_look_at ? !to_look_at : left >= 0 && running >= left;
  if (refused)
    throw std::system_error{std::make_error_code(std::errc::resource_unavailable_try_again)};
}

caf::error no_more(const std::system_error& x) {
  return fail(errc::overloaded, "threads",
    std::string{"expected a thread, but the system gives no more: "} + x.what());
}

/// Starts threads that do nothing, and ends all of them in its destructor.
class rehearsal {
public:
  ~rehearsal() {
    {
      std::lock_guard lock{mutex_};
      is_over_ = true;
    }
    over_.notify_all();
    for (auto& x : threads_)
      x.join();
  }

  void add() {
    refuse_if_pretended(static_cast<int64_t>(threads_.size()), true);
    threads_.reserve(threads_.size() + 1);
    threads_.emplace_back([this] {
      std::unique_lock lock{mutex_};
      over_.wait(lock, [this] { return is_over_; });
    });
  }

private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

} // namespace

std::thread require_thread(std::function<void()> run) {
  refuse_if_pretended(0, false);
  return std::thread{std::move(run)};
}

caf::expected<std::thread> start_thread(std::function<void()> run) {
  try {
    return require_thread(std::move(run));
  } catch (const std::system_error& x) {
    return no_more(x);
  }
}

caf::error check_threads(size_t count) {
  rehearsal all;
  try {
    while (count-- > 0)
      all.add();
    return {};
  } catch (const std::system_error& x) {
    return no_more(x);
  }
}

void pretend_threads_left(int64_t count) {
  pretended = count;
}

void lower_thread_priority() noexcept {
#ifdef __linux__ // here "process" 0 is the calling thread, setpriority(2)
  constexpr int a_third = 5;
  if (::getpriority(PRIO_PROCESS, 0) < a_third)
    ::setpriority(PRIO_PROCESS, 0, a_third);
#endif
}

void take_short_turns() noexcept {
#if defined(__linux__) && defined(SYS_sched_setattr)
  struct { // sched_setattr(2); the C library has no name for it
    uint32_t size = 48;
    uint32_t policy = 0; // the usual one
    uint64_t flags = 1;  // not for threads that this one starts
    int32_t nice = 0;
    uint32_t priority = 0;
    uint64_t runtime = 1'000'000; // time slice in ns; the least, 100'000, costs 3 % of additions
    uint64_t deadline = 0;
    uint64_t period = 0;
  } wanted;
  errno = 0;
  wanted.nice = ::getpriority(PRIO_PROCESS, 0);
  if (errno == 0)
    ::syscall(SYS_sched_setattr, 0, &wanted, 0);
#endif
}

} // namespace scratchpage
