#include "scratchpage/runtime/server/local_server.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage::serve {

local_server::local_server(agent_host& host, std::shared_ptr<access::person_sessions> persons)
  : door_{role::admin, access::claims::of_anybody, std::move(persons)},
    service_{host, door_} {}

caf::expected<std::unique_ptr<local_server>> local_server::start(agent_host& host,
  const std::string& socket_path, std::shared_ptr<access::person_sessions> persons) {
  std::unique_ptr<local_server> result{new local_server{host, std::move(persons)}};
  http::server_config config;
  config.socket_path = socket_path;
  auto started = http::server::start(
    config,
    [&service = result->service_](http::request x, const std::shared_ptr<http::exchange>& to) {
      service.handle(std::move(x), to);
    },
    {}, host.answers());
  if (!started)
    return started.error();
  result->server_ = std::move(*started);
  return result;
}

bool local_server::end(timespan within) {
  wall_clock clock;
  auto until = clock.steady() + within;
  service_.begin_to_end();
  auto answered = service_.await_clients(within);
  return server_->drain(std::max<timespan>(until - clock.steady(), timespan{0})) && answered;
}

} // namespace scratchpage::serve
