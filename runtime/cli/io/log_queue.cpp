#include "scratchpage/runtime/cli/io/log_queue.hpp"

#include <utility>

#include "scratchpage/messages/start_thread.hpp"

namespace scratchpage {

log_queue::log_queue(writing write, telling tell_dropped, size_t most_bytes)
  : write_{std::move(write)},
    how_dropped_is_told_{std::move(tell_dropped)},
    most_bytes_{most_bytes},
    thread_{require_thread([this] { run(); })} {}

log_queue::~log_queue() {
  end();
}

void log_queue::end() {
  {
    lock_type lock{guard_};
    ends_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable())
    thread_.join();
}

void log_queue::add(std::string line) {
  lock_type lock{guard_};
  if (ends_ || is_gone_)
    return;
  if (!has_room_for(line)) {
    ++dropped_;
    return;
  }
  tell_dropped();
  push(std::move(line));
  changed_.notify_all();
}

bool log_queue::flush(timespan within) {
  lock_type lock{guard_};
  changed_.wait_for(lock, within, [this] { return bytes_ == 0 || ends_ || is_gone_; });
  return bytes_ == 0 && !is_gone_;
}

/// Once lines were dropped, a few bytes that become free are not worth a line about it.
bool log_queue::has_room_for(const std::string& line) const {
  return bytes_ + line.size() <= (dropped_ > 0 ? most_bytes_ / 2 : most_bytes_);
}

void log_queue::push(std::string line) {
  bytes_ += line.size();
  waiting_.push_back(std::move(line));
}

void log_queue::tell_dropped() {
  if (auto count = std::exchange(dropped_, 0); count > 0)
    push(how_dropped_is_told_(count));
}

void log_queue::run() {
  lock_type lock{guard_};
  while (!is_gone_) {
    changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
    if (ends_)
      return;
    auto line = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    auto is_written = write_(line);
    lock.lock();
    bytes_ -= line.size();
    is_gone_ = !is_written;
    if (waiting_.empty() && !is_gone_)
      tell_dropped();
    changed_.notify_all();
  }
  waiting_.clear();
}

} // namespace scratchpage
