#pragma once

#include <memory>

#include <caf/fwd.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/events/event_order.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::serve {

/// Answers a request with a page's events, as server-sent ones, or on a WebSocket if it asks
/// for one. Where "now" is, is learnt before the head goes out: who has read that hears of
/// every later change. A page that does not say is an error instead of a stream.
void begin_events(caf::event_based_actor* self, const scratch_page_actor& page,
  const std::shared_ptr<http::exchange>& to, event_order order);

} // namespace scratchpage::serve
