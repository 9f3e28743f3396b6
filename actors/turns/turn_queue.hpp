#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// Decides in which order the sequential turns of each thread begin. Turns of other modes never
/// wait, and are ignored. A `Turn` has `request()`, which does not change, and `is_held()`.
template <class Turn>
class turn_queue {
public:
  using turn_ptr = std::shared_ptr<Turn>;

  /// Whether the turn has to wait for an earlier one of its thread.
  bool must_wait(const begin_turn& request) const {
    const auto* others = others_of(request);
    return others != nullptr && must_wait(request, *others, others->waiting.size());
  }

  /// A held turn of the same thread that the turn would wait for, or null.
  turn_ptr held_before(const begin_turn& request) const {
    if (const auto* others = others_of(request))
      for (const auto& x : others->begun)
        if (x->is_held() && waits_for(request, x->request(), false))
          return x;
    return nullptr;
  }

  void add_begun(const turn_ptr& x) {
    if (is_sequential(x->request()))
      threads_[x->request().thread_id].begun.push_back(x);
  }

  void add_waiting(const turn_ptr& x) {
    threads_[x->request().thread_id].waiting.push_back(x);
    ++waiting_;
  }

  /// The number of turns that wait, in all threads.
  uint64_t waiting() const { return waiting_; }

  /// The number of waiting turns for which `is_meant` holds.
  template <class F>
  uint64_t count_waiting(F is_meant) const {
    uint64_t result = 0;
    for (const auto& [id, x] : threads_)
      result += static_cast<uint64_t>(std::count_if(x.waiting.begin(), x.waiting.end(), is_meant));
    return result;
  }

  /// Removes a turn that has ended. Returns the turns of its thread that begin now.
  std::vector<turn_ptr> remove(const turn_ptr& x) {
    if (!is_sequential(x->request()))
      return {};
    if (auto thread = threads_.find(x->request().thread_id); thread != threads_.end())
      std::erase(thread->second.begun, x);
    return take_ready(x->request().thread_id);
  }

  /// Returns the turns of the thread that need not wait any longer, and marks them as begun.
  std::vector<turn_ptr> take_ready(const std::string& thread_id) {
    std::vector<turn_ptr> result;
    auto found = threads_.find(thread_id);
    if (found == threads_.end())
      return result;
    auto& [begun, waiting] = found->second;
    for (size_t i = 0; i < waiting.size();) {
      auto x = waiting[i];
      if (must_wait(x->request(), found->second, i)) {
        ++i;
        continue;
      }
      waiting.erase(waiting.begin() + static_cast<ptrdiff_t>(i));
      begun.push_back(x);
      result.push_back(std::move(x));
    }
    waiting_ -= result.size();
    if (begun.empty() && waiting.empty())
      threads_.erase(found);
    return result;
  }

private:
  /// The sequential turns of a thread that have not ended, in the order in which they began, or
  /// were requested.
  struct thread_turns {
    std::vector<turn_ptr> begun;
    std::vector<turn_ptr> waiting;
  };

  static bool is_sequential(const begin_turn& x) { return x.mode == turn_mode::sequential; }

  const thread_turns* others_of(const begin_turn& x) const {
    auto thread = threads_.find(x.thread_id);
    return is_sequential(x) && thread != threads_.end() ? &thread->second : nullptr;
  }

  /// As above, for a request with `before` waiting turns before it.
  static bool must_wait(const begin_turn& request, const thread_turns& others, size_t before) {
    auto first = others.waiting.begin();
    return std::any_of(others.begun.begin(), others.begun.end(),
             [&](const turn_ptr& x) { return waits_for(request, x->request(), !x->is_held()); })
           || std::any_of(first, first + static_cast<ptrdiff_t>(before),
             [&](const turn_ptr& x) { return waits_for(request, x->request(), false); });
  }

  std::map<std::string, thread_turns> threads_; // by id; present while one has turns
  uint64_t waiting_ = 0;
};

} // namespace scratchpage
