#include "scratchpage/runtime/events/event_stream.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <caf/event_based_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/events/event_feed.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"

namespace scratchpage::serve {

namespace {

constexpr timespan patience = std::chrono::seconds{10};

http::response stream_head() {
  return {200, {{"content-type", "text/event-stream"}, {"cache-control", "no-store"}}, {}};
}

void begin(caf::actor_system& sys, const scratch_page_actor& page,
  const std::shared_ptr<http::exchange>& to, event_order order) {
  auto out = to->accept_websocket();
  order.form = out ? event_form::message : event_form::server_sent;
  if (out) // what is not taken would be kept
    out->on_message([](const std::string&) {});
  if (!out)
    out = to->begin_stream(stream_head());
  feed_events(sys, page, out, std::move(order));
}

} // namespace

void begin_events(caf::event_based_actor* self, const scratch_page_actor& page,
  const std::shared_ptr<http::exchange>& to, event_order order) {
  auto* sys = &self->system();
  if (order.from.sequence)
    return begin(*sys, page, to, std::move(order));
  ask(self, page, patience, caf::get_atom_v)
    .then(
      [sys, page, to, order = std::move(order)](const page_stats& x) mutable {
        order.from = {x.sequence, x.epoch};
        begin(*sys, page, to, std::move(order));
      },
      [to](const caf::error& why) { to->respond(error_response(why)); });
}

} // namespace scratchpage::serve
