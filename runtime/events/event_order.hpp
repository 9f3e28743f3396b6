#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::events {

/// The form in which events are written.
enum class event_form : uint8_t {
  server_sent,  ///< a body of server-sent events (HTML, 9.2)
  message,      ///< a JSON object in a message for each event
  notification, ///< a JSON-RPC notification for each event, among other messages
};

/// The events that a reader subscribes to.
struct event_order {
  caller by;
  observation_filter filter;
  subscribe_from from;
  uint64_t per_second = 0; ///< the maximum rate of events; 0: no limit
  event_form form = event_form::server_sent;
  json::value request_id = nullptr; ///< of a JSON-RPC `subscribe`, which is answered first
  uint64_t number = 0;              ///< of that subscription
};

/// The schema of the parameters of a subscription.
const json::object& schema_of_event_order();

/// Reads a subscription from the query string of a request: the members of a filter, `per_second`,
/// and `from`. The header `Last-Event-ID`, which a browser sends when it reconnects, replaces
/// `from`. Errors name the parameter.
caf::expected<event_order> read_event_order(const http::request& x, const caller& by);

/// Reads the same from the arguments of `subscribe`.
caf::expected<event_order> read_event_order(json::object arguments, const caller& by);

/// Whether an event describes the state of the page instead of a change: `lagged` and `current`.
bool is_of_state(event_kind x);

/// The id of an event, which is its position: "<epoch>-<sequence>".
std::string event_id(uint64_t epoch, uint64_t sequence);
std::optional<subscribe_from> read_event_id(std::string_view text);

} // namespace scratchpage::events
