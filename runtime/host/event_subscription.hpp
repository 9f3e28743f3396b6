#pragma once

#include <memory>

namespace scratchpage {

/// Keeps a function subscribed to events of a page, as long as this object lives.
class event_subscription {
public:
  class listener;

  /// A subscription to nothing.
  event_subscription();
  explicit event_subscription(std::shared_ptr<listener> x);
  event_subscription(event_subscription&&) noexcept;
  event_subscription& operator=(event_subscription&&) noexcept;
  ~event_subscription();

  /// Ends the subscription. When this returns, the function is not running and is not called any
  /// more. Within the function itself, `end` returns at once.
  void end();

private:
  std::shared_ptr<listener> listener_;
};

} // namespace scratchpage
