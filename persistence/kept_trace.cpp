#include "scratchpage/persistence/kept_trace.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scratchpage/messages/config_check.hpp"

namespace scratchpage {

namespace {

constexpr size_t entries_at_once = 1'000; // in one transaction
constexpr double max_days = 36'500;       // a century
constexpr double minutes_per_day = 24 * 60;

} // namespace

caf::error validate(const trace_config& x, std::string_view path) {
  return config_check{path}
    .range("days", x.days, 0, max_days)
    .require(x.max_waiting > 0, "max_waiting", "at least one entry")
    .error();
}

kept_trace::kept_trace(std::shared_ptr<trace_store> in, std::string agent_id, uint64_t epoch,
  std::shared_ptr<const clock> clock, trace_config config)
  : store_{std::move(in)},
    agent_id_{std::move(agent_id)},
    epoch_{epoch},
    clock_{std::move(clock)},
    config_{config},
    thread_{[this] { work(); }} {}

kept_trace::~kept_trace() {
  {
    std::lock_guard lock{mutex_};
    is_ending_ = true;
  }
  news_.notify_one();
  thread_.join();
}

void kept_trace::write(trace_entry entry) {
  {
    std::lock_guard lock{mutex_};
    if (waiting_.size() >= config_.max_waiting) {
      ++dropped_;
      return;
    }
    waiting_.push_back(std::move(entry));
  }
  news_.notify_one();
}

void kept_trace::flush() {
  std::unique_lock lock{mutex_};
  written_.wait(lock, [this] { return waiting_.empty() && !is_writing_; });
}

void kept_trace::work() {
  std::unique_lock lock{mutex_};
  while (true) {
    news_.wait(lock, [this] { return !waiting_.empty() || is_ending_; });
    if (waiting_.empty())
      return;
    std::vector<trace_entry> some;
    auto count = std::min(waiting_.size(), entries_at_once);
    auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
    std::move(waiting_.begin(), end, std::back_inserter(some));
    waiting_.erase(waiting_.begin(), end);
    not_told_ += std::exchange(dropped_, 0);
    is_writing_ = true;
    lock.unlock();
    auto is_written = write_down(std::move(some));
    lock.lock();
    is_writing_ = false;
    if (is_ending_ && !is_written)
      waiting_.clear(); // a store that hangs must not keep the process
    written_.notify_all();
  }
}

bool kept_trace::write_down(std::vector<trace_entry> some) {
  auto count = some.size();
  if (not_told_ > 0)
    some.push_back(lost(not_told_));
  if (store_->add(agent_id_, epoch_, some)) {
    not_told_ += count;
    return false;
  }
  not_told_ = 0;
  forget_old();
  return true;
}

trace_entry kept_trace::lost(uint64_t count) const {
  trace_entry result;
  result.at = clock_->now();
  result.agent_id = agent_id_;
  result.component = "trace";
  result.operation = "drop_entries";
  result.status = "overloaded";
  result.detail["dropped"] = count;
  return result;
}

/// Once an hour; what fails is tried again then.
void kept_trace::forget_old() {
  auto now = clock_->now();
  if (now < next_forgetting_)
    return;
  next_forgetting_ = now + std::chrono::hours{1};
  std::ignore = store_->forget(agent_id_, now - from_minutes(config_.days * minutes_per_day));
}

} // namespace scratchpage
