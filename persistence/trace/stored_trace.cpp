#include "scratchpage/persistence/trace/stored_trace.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"

namespace scratchpage {

namespace {

constexpr size_t entries_at_once = 1'000; // in one transaction
/// How long the thread waits for more entries before it writes, unless it has enough of them.
constexpr auto gathering = std::chrono::milliseconds{50};
constexpr double max_days = 36'500; // a century
constexpr uint64_t least_bytes = 1u << 20;
constexpr timespan reading_timeout = std::chrono::seconds{1};

/// Masks an entry. Names of callers, components and operations stay, and so do ids.
void mask(trace_entry& x, const pii_masker& by) {
  by.mask(x.detail);
  if (!x.observation || !by.finds_any(*x.observation))
    return;
  auto masked = *x.observation;
  by.mask(masked);
  x.observation = observation_ptr{std::move(masked)};
}

} // namespace

caf::error validate(const trace_config& x, std::string_view path) {
  return config_check{path}
    .range("days", x.days, 0, max_days)
    .require(x.max_bytes >= least_bytes, "max_bytes", "at least 1048576 bytes")
    .require(x.max_waiting > 0, "max_waiting", "at least one entry")
    .require(x.max_waiting_bytes > 0, "max_waiting_bytes", "at least one byte")
    .error();
}

stored_trace::stored_trace(std::shared_ptr<trace_store> in, std::string agent_id, uint64_t epoch,
  std::shared_ptr<const clock> clock, trace_config config)
  : store_{std::move(in)},
    agent_id_{std::move(agent_id)},
    epoch_{epoch},
    clock_{std::move(clock)},
    ages_{std::make_shared<unhurried_clock>(clock_)},
    config_{config},
    thread_{require_thread([this] { work(); })} {}

stored_trace::~stored_trace() {
  {
    std::lock_guard lock{mutex_};
    is_ending_ = true;
  }
  news_.notify_one();
  thread_.join();
}

void stored_trace::write(trace_entry entry) {
  size_t count = 0;
  auto bytes = memory_of(entry);
  {
    std::lock_guard lock{mutex_};
    if (waiting_.size() >= config_.max_waiting
        || waiting_bytes_ + bytes > config_.max_waiting_bytes) {
      ++dropped_;
      return;
    }
    waiting_.push_back({std::move(entry), bytes});
    waiting_bytes_ += bytes;
    count = waiting_.size();
    ++taken_;
  }
  if (count == 1 || count == entries_at_once)
    news_.notify_one();
}

bool stored_trace::mask_with(const std::shared_ptr<const pii_masker>& masker) {
  std::lock_guard lock{mutex_};
  masker_ = masker;
  return true;
}

void stored_trace::flush(timespan within) {
  std::unique_lock lock{mutex_};
  ++flushing_;
  news_.notify_one();
  written_.wait_for(lock, within, [this, until = taken_] { return done_ >= until; });
  --flushing_;
}

caf::expected<turn_trace> stored_trace::read_turn(const trace_query& which) {
  flush(reading_timeout);
  return store_->turn(agent_id_, which);
}

namespace {

caf::error check_trace_limit(uint64_t limit, uint64_t most) {
  if (limit >= 1 && limit <= most)
    return {};
  return fail(errc::invalid_request, "limit",
    "expected 1 to " + std::to_string(most) + ", got " + std::to_string(limit));
}

} // namespace

caf::expected<traced_turn_list> stored_trace::read_turns(const traced_turns_query& which) {
  if (auto err = check_trace_limit(which.limit, traced_turns_query::most))
    return err;
  flush(reading_timeout);
  auto found = store_->turns(agent_id_, which.limit);
  if (!found)
    return found.error();
  return traced_turn_list{std::move(*found)};
}

caf::expected<latest_entries> stored_trace::read_latest(const latest_entries_query& which) {
  if (auto err = check_trace_limit(which.limit, latest_entries_query::most))
    return err;
  flush(reading_timeout);
  auto found = store_->latest(agent_id_, which.limit);
  if (!found)
    return found.error();
  size_t bytes = 0;
  auto first = found->end();
  while (first != found->begin()) {
    bytes += memory_of(*std::prev(first));
    if (bytes > most_bytes && first != found->end())
      break;
    --first;
  }
  found->erase(found->begin(), first);
  return latest_entries{std::move(*found)};
}

void stored_trace::work() {
  lower_thread_priority();
  std::unique_lock lock{mutex_};
  while (true) {
    news_.wait(lock, [this] { return !waiting_.empty() || is_ending_; });
    if (waiting_.empty())
      return;
    news_.wait_for(lock, gathering,
      [this] { return waiting_.size() >= entries_at_once || flushing_ > 0 || is_ending_; });
    size_t bytes = 0;
    auto some = take_some(bytes);
    auto count = some.size();
    not_told_ += std::exchange(dropped_, 0);
    auto masker = masker_;
    lock.unlock();
    if (masker)
      for (auto& x : some)
        mask(x, *masker);
    auto is_written = write_down(std::move(some), bytes);
    lock.lock();
    done_ += count;
    if (is_ending_ && !is_written)
      waiting_.clear(); // a store that hangs must not delay the end of the process
    written_.notify_all();
  }
}

/// Takes the entries to write next. The caller has the lock.
std::vector<trace_entry> stored_trace::take_some(size_t& bytes) {
  std::vector<trace_entry> result;
  auto count = std::min(waiting_.size(), entries_at_once);
  result.reserve(count);
  for (; count > 0; --count) {
    bytes += waiting_.front().bytes;
    result.push_back(std::move(waiting_.front().entry));
    waiting_.pop_front();
  }
  waiting_bytes_ -= bytes;
  return result;
}

bool stored_trace::write_down(std::vector<trace_entry> some, size_t bytes) {
  auto count = some.size();
  if (not_told_ > 0)
    some.push_back(lost(not_told_));
  if (store_->add(agent_id_, epoch_, some)) {
    not_told_ += count;
    return false;
  }
  not_told_ = 0;
  forget_old();
  forget_what_is_too_much(bytes);
  return true;
}

trace_entry stored_trace::lost(uint64_t count) const {
  trace_entry result;
  result.at = clock_->now();
  result.agent_id = agent_id_;
  result.component = "trace";
  result.operation = "drop_entries";
  result.status = "overloaded";
  result.detail["dropped"] = count;
  return result;
}

/// Removes old entries, once an hour. If it fails, it is tried again after an hour.
void stored_trace::forget_old() {
  auto now = clock_->steady();
  if (now < next_forgetting_)
    return;
  next_forgetting_ = now + std::chrono::hours{1};
  std::ignore = store_->forget(agent_id_, ages_->now() - from_days(config_.days));
}

/// Removes the oldest entries if too many bytes are stored. Counting the stored bytes reads the
/// whole table, so it is done only after a sixteenth of the allowed bytes was written. Entries are
/// compressed, so fewer bytes were stored than written.
void stored_trace::forget_what_is_too_much(size_t written) {
  not_looked_at_ += written;
  if (not_looked_at_ < config_.max_bytes / 16)
    return;
  not_looked_at_ = 0;
  std::ignore = store_->keep_newest(agent_id_, config_.max_bytes);
}

} // namespace scratchpage
