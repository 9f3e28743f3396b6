#include "scratchpage/persistence/trace/trace_writer.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

namespace {

constexpr size_t entries_at_once = 1'000; // in one transaction
/// How long the thread waits for more entries before it writes, unless it has enough of them.
constexpr auto gathering = std::chrono::milliseconds{50};
constexpr double max_days = 36'500; // a century
constexpr uint64_t least_bytes = 1u << 20;

/// Masks the entries of a batch. Names of callers, components and operations stay, and so do ids.
/// Several entries are about one observation, which is masked once.
class entry_masker {
public:
  explicit entry_masker(const pii_masker& by)
    : by_{by} {}

  void mask(trace_entry& x) {
    by_.mask(x.detail);
    if (x.observation)
      x.observation = masked(x.observation);
  }

private:
  const observation_ptr& masked(const observation_ptr& x) {
    auto [place, is_new] = known_.try_emplace(&*x, x, x);
    auto& result = place->second.second;
    if (is_new && by_.finds_any(*x)) {
      auto copy = *x;
      by_.mask(copy);
      result = observation_ptr{std::move(copy)};
    }
    return result;
  }

  const pii_masker& by_;
  /// The observations that were seen, which keeps their addresses theirs, and what they become.
  std::unordered_map<const observation*, std::pair<observation_ptr, observation_ptr>> known_;
};

/// The entry that says how many entries were dropped.
trace_entry lost_entries(const std::string& agent_id, timestamp at, uint64_t count) {
  trace_entry result;
  result.at = at;
  result.agent_id = agent_id;
  result.component = "trace";
  result.operation = "drop_entries";
  result.status = "overloaded";
  result.detail["dropped"] = count;
  return result;
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

trace_writer::trace_writer(std::shared_ptr<trace_store> to)
  : store_{std::move(to)},
    thread_{require_thread([this] { work(); })} {}

trace_writer::~trace_writer() {
  {
    std::lock_guard lock{mutex_};
    is_ending_ = true;
  }
  news_.notify_one();
  thread_.join();
}

std::shared_ptr<trace_writer::line> trace_writer::begin(
  std::string agent_id, uint64_t epoch, std::shared_ptr<const clock> clock, trace_config config) {
  auto result = std::make_shared<line>();
  result->agent_id_ = std::move(agent_id);
  result->epoch_ = epoch;
  result->ages_ = std::make_shared<unhurried_clock>(clock);
  result->clock_ = std::move(clock);
  result->config_ = config;
  return result;
}

void trace_writer::write(const std::shared_ptr<line>& to, trace_entry&& entry) {
  size_t count = 0;
  auto bytes = memory_of(entry);
  {
    std::lock_guard lock{mutex_};
    if (to->waiting_ >= to->config_.max_waiting
        || to->waiting_bytes_ + bytes > to->config_.max_waiting_bytes
        || waiting_bytes_ + bytes > max_bytes_of_all) {
      ++to->dropped_;
      return;
    }
    waiting_.push_back(waiting_entry{to, std::move(entry), bytes});
    waiting_bytes_ += bytes;
    to->waiting_bytes_ += bytes;
    ++to->waiting_;
    ++to->taken_;
    count = waiting_.size();
  }
  if (count == 1 || count == entries_at_once)
    news_.notify_one();
}

void trace_writer::mask_with(line& of, const std::shared_ptr<const pii_masker>& masker) {
  std::lock_guard lock{mutex_};
  of.masker_ = masker;
}

void trace_writer::flush(line& of, timespan within) {
  std::unique_lock lock{mutex_};
  ++flushing_;
  news_.notify_one();
  written_.wait_for(lock, within, [&of, until = of.taken_] { return of.done_ >= until; });
  --flushing_;
}

void trace_writer::work() {
  lower_thread_priority();
  std::unique_lock lock{mutex_};
  while (true) {
    news_.wait(lock, [this] { return !waiting_.empty() || is_ending_; });
    if (waiting_.empty())
      return;
    news_.wait_for(lock, gathering,
      [this] { return waiting_.size() >= entries_at_once || flushing_ > 0 || is_ending_; });
    auto some = take_some();
    lock.unlock();
    auto is_written = write_down(some);
    lock.lock();
    for (const auto& x : some)
      x.of->done_ += x.count;
    if (is_ending_ && !is_written)
      waiting_.clear(); // a store that hangs must not delay the end of the process
    written_.notify_all();
  }
}

/// Takes the entries to write next, by runs. The caller has the lock.
std::vector<trace_writer::batch> trace_writer::take_some() {
  std::vector<batch> result;
  std::unordered_map<const line*, size_t> places;
  for (auto left = std::min(waiting_.size(), entries_at_once); left > 0; --left) {
    auto& next = waiting_.front();
    auto [place, is_new] = places.try_emplace(next.of.get(), result.size());
    if (is_new)
      result.push_back({next.of, next.of->masker_, {}});
    auto& to = result[place->second];
    to.entries.push_back(std::move(next.entry));
    ++to.count;
    to.bytes += next.bytes;
    waiting_.pop_front();
  }
  for (const auto& x : result) {
    x.of->waiting_ -= x.count;
    x.of->waiting_bytes_ -= x.bytes;
    waiting_bytes_ -= x.bytes;
    x.of->not_told_ += std::exchange(x.of->dropped_, 0);
  }
  return result;
}

/// Whether the store has taken them.
bool trace_writer::write_down(std::vector<batch>& some) {
  std::vector<trace_batch> rows;
  for (auto& x : some) {
    auto& of = *x.of;
    if (x.masker) {
      entry_masker masker{*x.masker};
      for (auto& entry : x.entries)
        masker.mask(entry);
    }
    if (of.not_told_ > 0)
      x.entries.push_back(lost_entries(of.agent_id_, of.clock_->now(), of.not_told_));
    rows.push_back({of.agent_id_, of.epoch_, x.entries});
  }
  auto err = store_->add(rows);
  for (auto& x : some) {
    if (err) {
      x.of->not_told_ += x.count;
    } else {
      x.of->not_told_ = 0;
      remove_old(*x.of, x.bytes);
    }
  }
  return !err;
}

/// Removes old entries, once an hour; if it fails, it is tried again after an hour. Removes the
/// oldest entries, too, if too many bytes are stored. Counting the stored bytes reads all rows of
/// the agent, so it is done only after a sixteenth of the allowed bytes was written. Entries are
/// compressed, so fewer bytes were stored than written.
void trace_writer::remove_old(line& of, size_t written) {
  auto now = of.clock_->steady();
  if (now >= of.next_forgetting_) {
    of.next_forgetting_ = now + std::chrono::hours{1};
    std::ignore = store_->forget(of.agent_id_, of.ages_->now() - from_days(of.config_.days));
  }
  of.not_looked_at_ += written;
  if (of.not_looked_at_ < of.config_.max_bytes / 16)
    return;
  of.not_looked_at_ = 0;
  std::ignore = store_->keep_newest(of.agent_id_, of.config_.max_bytes);
}

} // namespace scratchpage
