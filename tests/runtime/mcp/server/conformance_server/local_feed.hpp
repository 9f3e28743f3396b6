#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "scratchpage/runtime/mcp/server/changes.hpp"

namespace scratchpage::test {

/// A change feed within the process.
class local_feed : public mcp::change_feed {
public:
  std::shared_ptr<void> subscribe(
    const principal&, mcp::wanted_changes what, on_change then) override {
    auto one = std::make_shared<subscriber>(subscriber{std::move(what), std::move(then)});
    forget_the_gone();
    subscribers_.push_back(one);
    return one;
  }

  void tell(const mcp::change& x) {
    for (const auto& weak : std::vector{subscribers_})
      if (auto one = weak.lock(); one && one->what.contains(x))
        one->then(x);
  }

  size_t size() {
    forget_the_gone();
    return subscribers_.size();
  }

private:
  struct subscriber {
    mcp::wanted_changes what;
    on_change then;
  };

  void forget_the_gone() {
    std::erase_if(subscribers_, [](const auto& weak) { return weak.expired(); });
  }

  std::vector<std::weak_ptr<subscriber>> subscribers_;
};

} // namespace scratchpage::test
