#include "scratchpage/tests/bench/audience.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/events/event_feed.hpp"
#include "scratchpage/runtime/telemetry/otlp_exporter.hpp"

namespace scratchpage::bench {

namespace {

std::unique_ptr<http::server> start(http::handler answer) {
  auto started = http::server::start({}, std::move(answer));
  if (!started)
    throw std::runtime_error{describe(started.error())};
  return std::move(*started);
}

} // namespace

collector::collector()
  : server_{start(
    [](const http::request&, const std::shared_ptr<http::exchange>& to) { to->respond({}); })} {}

audience::audience() {
  telemetry::telemetry_config with;
  with.otlp_endpoint = to_.url();
  trace_ = std::make_shared<telemetry::exporting_trace>(
    nullptr, std::make_shared<telemetry::otlp_exporter>(std::move(with), 1));
}

audience::~audience() {
  leave();
}

void audience::watch(caf::actor_system& system, const scratch_page_actor& page) {
  server_ =
    start([&system, page](const http::request& x, const std::shared_ptr<http::exchange>& to) {
      auto order = events::read_event_order(x, as_daemon("viewer"));
      if (!order)
        throw std::runtime_error{describe(order.error())};
      auto out = to->begin_stream({200, {{"content-type", "text/event-stream"}}, {}});
      events::feed_events(system, page, out, std::move(*order));
    });
  viewers_ = std::make_unique<read_streams>(
    server_->port(), std::vector<std::string>(viewers, viewer_query));
}

void audience::leave() {
  viewers_.reset();
  server_.reset();
}

} // namespace scratchpage::bench
