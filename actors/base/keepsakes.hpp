#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <typeindex>
#include <utility>

namespace scratchpage {

/// What the actors of an agent remember beyond its store, while the agent is at rest: its actors
/// put it here when they end, and the next ones take it when they begin, so that nobody can tell
/// that the agent was at rest. Each type of value is there at most once. May be used from any
/// thread.
class keepsakes {
public:
  /// Keeps a value until it is taken. `bytes`: the memory, about, that it takes.
  template <class T>
  void put(T x, uint64_t bytes) {
    auto value = std::make_shared<T>(std::move(x));
    std::lock_guard lock{guard_};
    kept_.insert_or_assign(std::type_index{typeid(T)}, entry{std::move(value), bytes});
  }

  /// Nothing if there is none.
  template <class T>
  std::optional<T> take() {
    std::lock_guard lock{guard_};
    auto found = kept_.find(std::type_index{typeid(T)});
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

  /// The memory, about, that all values take.
  uint64_t bytes() const {
    std::lock_guard lock{guard_};
    uint64_t result = sizeof(*this) + counters_.size() * entry_bytes;
    for (const auto& [type, x] : kept_)
      result += entry_bytes + x.bytes;
    return result;
  }

private:
  struct entry {
    std::shared_ptr<void> value;
    uint64_t bytes;
  };

  static constexpr uint64_t entry_bytes = 128; ///< of the map and the allocations

  mutable std::mutex guard_;
  std::map<std::type_index, entry> kept_;
  std::map<uint32_t, std::shared_ptr<uint64_t>> counters_;
};

} // namespace scratchpage
