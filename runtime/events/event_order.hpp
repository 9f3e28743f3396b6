#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::serve {

/// How events are written.
enum class event_form : uint8_t {
  server_sent,  ///< as a body of server-sent events (HTML, 9.2)
  message,      ///< as a message each, a JSON object
  notification, ///< as a notification of JSON-RPC each, beside other messages
};

/// What somebody wants to hear of.
struct event_order {
  caller by;
  observation_filter filter;
  subscribe_from from;
  uint64_t per_second = 0; ///< so many events, for who need not see each at once; 0: any number
  event_form form = event_form::server_sent;
  json::value request_id = nullptr; ///< of JSON-RPC, whose answer comes first
  uint64_t number = 0;              ///< of the subscription there
};

/// The parameters of an order.
const json::object& schema_of_event_order();

/// The order in a request's query string: a filter's members, `per_second`, and `from`,
/// for which the header `Last-Event-ID` stands when a browser comes again. Errors name
/// the parameter.
caf::expected<event_order> read_event_order(const http::request& x, const caller& by);

/// The same in the arguments of `subscribe`.
caf::expected<event_order> read_event_order(json::object arguments, const caller& by);

/// What tells of the page as it is, and is no change of it: `lagged` and `current`.
bool is_of_state(event_kind x);

/// An event's place, as its id: "<epoch>-<sequence>".
std::string event_id(uint64_t epoch, uint64_t sequence);
std::optional<subscribe_from> read_event_id(std::string_view text);

} // namespace scratchpage::serve
