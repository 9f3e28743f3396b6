#include "scratchpage/runtime/execution/work_queue.hpp"

#include <utility>

#include "scratchpage/messages/threads.hpp"

namespace scratchpage {

work_queue::work_queue(limits max, pace how)
  : max_{max} {
  if (auto started = start_thread([this, how] { run(how); }))
    thread_ = std::move(*started);
  else
    ends_ = true; // `later` gives false
}

work_queue::~work_queue() {
  {
    std::lock_guard lock{guard_};
    ends_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable())
    thread_.join();
}

bool work_queue::later(std::function<void()> work, uint64_t bytes) {
  std::lock_guard lock{guard_};
  if (ends_ || jobs_.size() >= max_.pieces || bytes > max_.bytes - bytes_)
    return false;
  jobs_.push_back({std::move(work), bytes});
  bytes_ += bytes;
  changed_.notify_one();
  return true;
}

void work_queue::run(pace how) {
  if (how == pace::gives_way)
    lower_thread_priority();
  std::unique_lock lock{guard_};
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
    if (jobs_.empty())
      return;
    auto next = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    next.work();
    next.work = {}; // without the lock: work may own anything
    lock.lock();
    bytes_ -= next.bytes;
  }
}

} // namespace scratchpage
