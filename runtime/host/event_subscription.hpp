#pragma once

#include <chrono>
#include <memory>

#include <caf/error.hpp>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Keeps a function subscribed to events of a page, as long as this object lives. One thread at a
/// time may use the object. It may outlive its ensemble, and then does nothing any more.
class event_subscription {
public:
  class listener;

  static constexpr timespan timeout = std::chrono::seconds{10};

  /// A subscription to nothing.
  event_subscription();
  explicit event_subscription(std::shared_ptr<listener> x);
  event_subscription(event_subscription&&) noexcept;
  event_subscription& operator=(event_subscription&&) noexcept;

  /// As `end` with the default deadline. What the function uses has to live longer than this
  /// object.
  ~event_subscription();

  /// Ends the subscription, and waits until the function is not running. After that it is not
  /// called any more. Within the function itself, `end` returns at once. Without a subscription
  /// this does nothing. Errors: `deadline_exceeded` about `tell` if the function runs for longer
  /// than `within`, for example because it ends another subscription whose function ends this one;
  /// it is not called again, and another `end` waits for it again. `internal` about `tell`, with
  /// the text of the exception, if the function has thrown one, which ended the subscription then.
  caf::error end(timespan within = timeout);

private:
  std::shared_ptr<listener> listener_;
};

} // namespace scratchpage
