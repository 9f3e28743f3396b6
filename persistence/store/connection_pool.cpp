#include "scratchpage/persistence/store/connection_pool.hpp"

namespace scratchpage::sql {

connection_pool::connection_pool(connector connect, size_t most)
  : connect_{std::move(connect)},
    most_{most} {
  free_.reserve(most);
}

/// Null if the connection is still to be made.
std::unique_ptr<connection> connection_pool::take() {
  std::unique_lock lock{mutex_};
  returned_.wait(lock, [this] { return taken_ < most_; });
  ++taken_;
  if (free_.empty())
    return nullptr;
  auto last = std::move(free_.back());
  free_.pop_back();
  return last;
}

void connection_pool::put_back(std::unique_ptr<connection> x) {
  {
    std::lock_guard lock{mutex_};
    --taken_;
    if (x)
      free_.push_back(std::move(x));
  }
  returned_.notify_one();
}

connection& connection_pool::loan::connection() {
  if (!db_ || !db_->is_alive()) {
    db_.reset(); // the old one is closed first
    db_ = of_.connect_();
  }
  return *db_;
}

} // namespace scratchpage::sql
