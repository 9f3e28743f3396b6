#include "scratchpage/messages/start_thread.hpp"

#include <atomic>
#include <condition_variable>
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

/// Threads that wait until all of them are there.
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

} // namespace scratchpage
