#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/mcp_client/address.hpp"

namespace scratchpage::mcp_client {

struct http_request {
  std::string method; ///< "POST", …
  address to;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

/// The head of an answer, as far as it matters here.
struct http_head {
  unsigned status = 0;
  std::string reason;
  std::string content_type; ///< without parameters, in lower case
  std::string session_id;   ///< Mcp-Session-Id
};

/// What is done with an answer, as it arrives; false ends the reading.
struct http_reader {
  std::function<bool(const http_head&)> on_head;
  std::function<bool(std::string_view)> on_body;
};

/// How an exchange ended.
enum class http_end {
  done,      ///< all was read, or the reader had enough
  timed_out, ///< the time was over
  cancelled,
  failed,
};

struct http_outcome {
  http_end end = http_end::done;
  std::string error; ///< for a person; if it failed
};

/// One HTTP/1.1 exchange over a connection of its own, with TLS for https:// and
/// then only with a server whose certificate is valid for its name. Nothing is
/// redirected. Certificates are trusted as OpenSSL has it (SSL_CERT_FILE,
/// SSL_CERT_DIR).
class http_exchange {
public:
  http_exchange();
  http_exchange(const http_exchange&) = delete;
  http_exchange& operator=(const http_exchange&) = delete;
  ~http_exchange();

  /// Blocks, at most so long; nothing: as long as it takes. Called once.
  http_outcome run(
    const http_request& request, std::optional<timespan> patience, const http_reader& reader);

  /// Ends it, also before it has begun. From any thread.
  void cancel();

private:
  class connection;
  std::unique_ptr<connection> connection_;
};

} // namespace scratchpage::mcp_client
