#pragma once

#include <memory>
#include <vector>

#include <boost/asio/ssl/context.hpp>
#include <caf/expected.hpp>

#include "scratchpage/runtime/net/http/service.hpp"
#include "scratchpage/runtime/net/http/worker.hpp"

namespace scratchpage::http {

/// Accepts connections and hands them to the workers by turns.
class listener {
public:
  virtual ~listener() = default;

  virtual uint16_t port() const = 0;

  /// Runs on the first worker's thread from now on.
  virtual void start() = 0;

  /// From any thread. No more comes of it once the first worker has got round to it.
  virtual void stop() = 0;
};

/// Who gets the connections; `tls` null: without.
struct listener_setup {
  std::shared_ptr<http::service> service;
  std::vector<std::shared_ptr<worker>> workers;
  std::shared_ptr<asio::ssl::context> tls;
};

/// Errors name the field of the configuration.
caf::expected<std::shared_ptr<listener>> listen_to_address(const listener_setup& setup);
caf::expected<std::shared_ptr<listener>> listen_to_local_socket(const listener_setup& setup);

} // namespace scratchpage::http
