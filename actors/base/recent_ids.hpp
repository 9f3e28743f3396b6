#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <unordered_set>

#include "scratchpage/messages/text/keyed_hash.hpp"

namespace scratchpage {

/// The last ids that were seen, so that what is delivered again is noticed.
class recent_ids {
public:
  /// Remembers at most `capacity`, the latest.
  explicit recent_ids(size_t capacity)
    : capacity_{capacity} {}

  /// Whether `id` is not among them; it is from then on.
  bool insert(const std::string& id) {
    if (!known_.insert(id).second)
      return false;
    order_.push_back(id);
    if (order_.size() > capacity_) {
      known_.erase(order_.front());
      order_.pop_front();
    }
    return true;
  }

private:
  size_t capacity_;
  std::unordered_set<std::string, keyed_text_hash, std::equal_to<>> known_;
  std::deque<std::string> order_;
};

} // namespace scratchpage
