#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// The claims of the agents that this process has open, for the check whether they still hold. Any
/// thread may use it.
class claim_list {
public:
  void add(const ownership& by) {
    std::lock_guard lock{mutex_};
    claims_.push_back(by);
  }

  void remove(const ownership& by) {
    std::lock_guard lock{mutex_};
    std::erase(claims_, by);
  }

  std::vector<ownership> all() const {
    std::lock_guard lock{mutex_};
    return claims_;
  }

private:
  mutable std::mutex mutex_;
  std::vector<ownership> claims_;
};

} // namespace scratchpage
