#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "scratchpage/runtime/execution/strand.hpp"

namespace scratchpage::test {

/// A strand whose work and time advance only when a test tells it to.
class manual_strand : public strand {
public:
  void post(std::function<void()> work) override {
    if (!ends_)
      ready_.push_back(std::move(work));
  }

  void after(timespan delay, std::function<void()> work) override {
    if (!ends_)
      timers_.emplace(now_ + delay, std::move(work));
  }

  timestamp now() const override { return now_; }

  /// Runs all work, including work that is added meanwhile.
  void run() {
    while (!ready_.empty()) {
      auto work = std::move(ready_.front());
      ready_.pop_front();
      work();
    }
  }

  void advance(timespan span) {
    auto end = now_ + span;
    for (run(); !timers_.empty() && timers_.begin()->first <= end; run()) {
      auto first = timers_.extract(timers_.begin());
      now_ = first.key();
      first.mapped()();
    }
    now_ = end;
  }

  /// Ends as other strands do: drops work that has not begun, because it may refer to the
  /// strand itself.
  void stop() {
    ends_ = true;
    std::ignore = std::exchange(ready_, {});
    std::ignore = std::exchange(timers_, {});
  }

private:
  bool ends_ = false;
  timestamp now_{std::chrono::hours{24}};
  std::deque<std::function<void()>> ready_;
  std::multimap<timestamp, std::function<void()>> timers_;
};

} // namespace scratchpage::test
