#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace scratchpage {

/// Tells once that something has ended. May be used from any thread.
class end_signal {
public:
  /// It has ended. Only the first call counts.
  void set() {
    std::function<void()> then;
    {
      std::lock_guard lock{guard_};
      has_ended_ = true;
      then = std::exchange(then_, {});
    }
    if (then)
      then();
  }

  /// Calls `f` when it ends, on any thread, or now if it has ended.
  void then(std::function<void()> f) {
    {
      std::lock_guard lock{guard_};
      if (!has_ended_) {
        then_ = std::move(f);
        return;
      }
    }
    f();
  }

private:
  std::mutex guard_;
  bool has_ended_ = false;
  std::function<void()> then_;
};

} // namespace scratchpage
