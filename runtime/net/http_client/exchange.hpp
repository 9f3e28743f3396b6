#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/net/http_client/address.hpp"

namespace scratchpage::http_client {

struct request {
  std::string method; ///< "POST", …
  address to;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

/// The head of an answer.
struct head {
  unsigned status = 0;
  std::string reason;
  std::string content_type; ///< without parameters, in lower case
  std::vector<std::pair<std::string, std::string>> headers;

  /// The first of that name, in whatever case (RFC 9110, 5.1); null: there is none.
  const std::string* header(std::string_view name) const;
};

/// What is done with an answer, as it arrives; false ends the reading.
struct reader {
  std::function<bool(const head&)> on_head;
  std::function<bool(std::string_view)> on_body;
};

/// How an exchange ended.
enum class ending {
  done,      ///< all was read, or the reader had enough
  timed_out, ///< the time was over
  cancelled,
  failed,
};

struct outcome {
  ending end = ending::done;
  std::string error; ///< for a person; if it failed
};

/// One HTTP/1.1 exchange over a connection of its own, with TLS for https:// and
/// then only with a server whose certificate is valid for its name. Nothing is
/// redirected. Certificates are trusted as OpenSSL has it (SSL_CERT_FILE,
/// SSL_CERT_DIR).
class exchange {
public:
  exchange();
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;
  ~exchange();

  /// Blocks, at most so long; nothing: as long as it takes. Called once.
  outcome run(const request& x, std::optional<timespan> patience, const reader& into);

  /// Ends it, also before it has begun. From any thread.
  void cancel();

private:
  class connection;
  std::unique_ptr<connection> connection_;
};

} // namespace scratchpage::http_client
