#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <typeindex>
#include <utility>

#include "scratchpage/actors/base/work_marks.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// What the actors of an agent remember beyond its store, while the agent is at rest: its actors
/// put it here when they end, and the next ones take it when they begin, so that nobody can tell
/// that the agent was at rest. Each type of value is there at most once in each place. It also
/// knows whether the actors are at work, and when they have to be there again. May be used from any
/// thread.
class keepsakes {
public:
  /// Keeps a value until it is taken. `bytes`: the memory, about, that it takes. `place`
  /// distinguishes the values of several objects of one class.
  template <class T>
  void put(T x, uint64_t bytes, uint32_t place = 0) {
    auto value = std::make_shared<T>(std::move(x));
    std::lock_guard lock{guard_};
    if (!is_dropped_)
      kept_.insert_or_assign(key_of<T>(place), entry{std::move(value), bytes});
  }

  /// Nothing if there is none.
  template <class T>
  std::optional<T> take(uint32_t place = 0) {
    std::lock_guard lock{guard_};
    auto found = kept_.find(key_of<T>(place));
    if (found == kept_.end())
      return std::nullopt;
    auto value = std::static_pointer_cast<T>(std::move(found->second.value));
    kept_.erase(found);
    return std::move(*value);
  }

  /// A number that goes on after a rest, such as the last one that was given; `first` at the first
  /// call for this key. One actor at a time uses it.
  std::shared_ptr<uint64_t> counter(uint32_t key, uint64_t first) {
    std::lock_guard lock{guard_};
    auto& result = counters_[key];
    if (!result)
      result = std::make_shared<uint64_t>(first);
    return result;
  }

  /// The agent ends and is not woken: nothing is kept, now and later.
  void drop() {
    decltype(kept_) dropped; // destroyed without the lock
    std::lock_guard lock{guard_};
    is_dropped_ = true;
    dropped.swap(kept_);
  }

  bool is_dropped() const {
    std::lock_guard lock{guard_};
    return is_dropped_;
  }

  /// Whoever used this number has ended.
  void forget_counter(uint32_t key) {
    std::lock_guard lock{guard_};
    counters_.erase(key);
  }

  // -- while the agent is awake

  /// Counts the work that must be done before the agent may rest.
  const work_count& work() const { return work_; }
  work_mark begin_work() const { return work_.begin(); }
  bool is_working() const { return work_.is_any(); }

  /// The agent has to be awake at this time for `what`, which replaces an earlier time for it.
  void note_deadline(const std::string& what, timestamp at) {
    std::lock_guard lock{guard_};
    deadlines_.insert_or_assign(what, at);
  }

  void forget_deadline(const std::string& what) {
    std::lock_guard lock{guard_};
    deadlines_.erase(what);
  }

  /// The earliest of these times.
  std::optional<timestamp> next_deadline() const {
    std::lock_guard lock{guard_};
    std::optional<timestamp> result;
    for (const auto& [what, at] : deadlines_)
      result = std::min(at, result.value_or(at));
    return result;
  }

  /// The last change of the page when the agent woke. Whoever makes the actors again sets it before
  /// that; nothing at the first start.
  void note_waking(uint64_t sequence) {
    std::lock_guard lock{guard_};
    woken_at_ = sequence;
  }

  std::optional<uint64_t> woken_at() const {
    std::lock_guard lock{guard_};
    return woken_at_;
  }

  /// The memory, about, that all values take.
  uint64_t bytes() const {
    std::lock_guard lock{guard_};
    uint64_t result = sizeof(*this) + (counters_.size() + deadlines_.size()) * entry_bytes;
    for (const auto& [type, x] : kept_)
      result += entry_bytes + x.bytes;
    return result;
  }

private:
  struct entry {
    std::shared_ptr<void> value;
    uint64_t bytes;
  };

  using key = std::pair<std::type_index, uint32_t>;

  template <class T>
  static key key_of(uint32_t place) {
    return {std::type_index{typeid(T)}, place};
  }

  static constexpr uint64_t entry_bytes = 128; ///< of the map and the allocations

  work_count work_ = work_count::make();
  mutable std::mutex guard_; // of what follows
  std::map<key, entry> kept_;
  std::map<std::string, timestamp> deadlines_; // by what is due
  std::optional<uint64_t> woken_at_;
  bool is_dropped_ = false;
  std::map<uint32_t, std::shared_ptr<uint64_t>> counters_;
};

/// What an actor has kept during a rest; nothing if it begins for another reason, or the agent
/// never rests.
template <class T>
std::optional<T> take_kept(const std::shared_ptr<keepsakes>& from, uint32_t place = 0) {
  return from ? from->take<T>(place) : std::nullopt;
}

} // namespace scratchpage
