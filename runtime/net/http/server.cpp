#include "scratchpage/runtime/net/http/server.hpp"

#include <utility>
#include <vector>

#include "scratchpage/runtime/net/http/listener.hpp"
#include "scratchpage/runtime/net/http/transport.hpp"

namespace scratchpage::http {

struct server::parts {
  std::shared_ptr<http::service> service;
  std::vector<std::shared_ptr<worker>> workers;
  std::shared_ptr<http::listener> listener;
};

caf::expected<std::unique_ptr<server>> server::start(
  server_config config, handler answer, on_answered tell, std::shared_ptr<answer_budget> held) {
  if (auto wrong = validate(config))
    return wrong;
  auto made = std::make_unique<parts>();
  made->service = std::make_shared<http::service>(
    std::move(config), std::move(answer), std::move(tell), std::move(held));
  const auto& limits = made->service->config;
  for (uint64_t i = 0; i < limits.threads; ++i)
    made->workers.push_back(std::make_shared<worker>(tick_of(limits)));
  listener_setup setup{made->service, made->workers, nullptr};
  if (!limits.certificate_file.empty()) {
    auto tls = make_tls_context(limits.certificate_file, limits.key_file);
    if (!tls)
      return std::move(tls.error());
    setup.tls = std::move(*tls);
  }
  auto listening =
    limits.socket_path.empty() ? listen_to_address(setup) : listen_to_local_socket(setup);
  if (!listening)
    return std::move(listening.error());
  made->listener = std::move(*listening);
  for (auto& x : made->workers)
    if (auto err = x->start()) {
      for (auto& begun : made->workers)
        begun->stop();
      return err;
    }
  made->listener->start();
  return std::unique_ptr<server>{new server{std::move(made)}};
}

server::server(std::unique_ptr<parts> x)
  : parts_{std::move(x)} {}

server::~server() {
  stop_accepting();
  for (auto& x : parts_->workers)
    x->stop();
  // An exchange that still exists keeps the service alive, but must not keep the handler.
  parts_->service->answer = nullptr;
}

uint16_t server::port() const {
  return parts_->listener->port();
}

std::function<server_stats()> server::stats() const {
  return [service = parts_->service] { return service->stats(); };
}

void server::stop_accepting() {
  parts_->listener->stop();
}

bool server::drain(timespan within) {
  stop_accepting();
  parts_->service->draining = true;
  for (auto& x : parts_->workers)
    x->post([x] { x->drain(); });
  return parts_->service->connections.wait_until_empty(within);
}

} // namespace scratchpage::http
