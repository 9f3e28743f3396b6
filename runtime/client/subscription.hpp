#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <caf/error.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// What of an agent's page somebody wants to hear of.
struct follow_order {
  observation_filter filter;
  /// The id of the last event that is known, EPOCH-SEQUENCE; "now": only what comes.
  std::string from = "now";
  timespan patience = std::chrono::seconds{10}; ///< how long nobody may have the agent
};

/// Both are called on a thread of the subscription, one at a time. They may block it, but
/// not end the subscription.
struct event_listener {
  /// An event, in the order of the changes: `id`, and the members of `page_event`.
  std::function<void(json::object event)> on_event;
  /// At most once, and then nothing more comes: nobody had the agent for too long
  /// (`storage_unavailable`), or what it refuses with.
  std::function<void(const caf::error& why)> on_end;
};

/// Somebody who hears of a page's changes until this ends; then nothing is called any
/// more. It has to end before the client that it is of.
class subscription {
public:
  virtual ~subscription() = default;
};

} // namespace scratchpage
