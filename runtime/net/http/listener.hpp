#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <boost/asio/ssl/context.hpp>
#include <caf/expected.hpp>

#include "scratchpage/runtime/net/http/connection.hpp"
#include "scratchpage/runtime/net/http/service.hpp"
#include "scratchpage/runtime/net/http/worker.hpp"

namespace scratchpage::http {

/// Accepts connections and hands them to the workers in turn.
class listener {
public:
  virtual ~listener() = default;

  virtual uint16_t port() const = 0;

  /// Begins to accept, on the first worker's thread.
  virtual void start() = 0;

  /// Stops accepting as soon as the first worker runs. From any thread.
  virtual void stop() = 0;
};

struct listener_setup {
  std::shared_ptr<http::service> service;
  std::vector<std::shared_ptr<worker>> workers; ///< get the connections
  std::shared_ptr<asio::ssl::context> tls;      ///< null: without TLS
};

/// Listens as `server_config` says: on `address` and `port`, or on `socket_path`. Errors name the
/// field.
caf::expected<std::shared_ptr<listener>> listen_to_address(const listener_setup& setup);
caf::expected<std::shared_ptr<listener>> listen_to_local_socket(const listener_setup& setup);

} // namespace scratchpage::http
