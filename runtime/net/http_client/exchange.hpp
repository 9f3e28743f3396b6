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
  std::string body = {};
  std::string ca_file = {}; ///< authorities for the server's certificate, PEM; "": OpenSSL's
};

/// The head of a response.
struct head {
  unsigned status = 0;
  std::string reason;
  std::string content_type; ///< without parameters, in lower case
  std::vector<std::pair<std::string, std::string>> headers;

  /// The value of the first header of that name, in any case (RFC 9110, 5.1); null: there is none.
  const std::string* header(std::string_view name) const;
};

/// Gets the response as it arrives. A function that returns false ends the reading.
struct reader {
  std::function<bool(const head&)> on_head;
  std::function<bool(std::string_view)> on_body;
};

/// How an exchange ended.
enum class ending {
  done, ///< all was read, or the reader has ended the reading
  timed_out,
  cancelled,
  failed,
};

struct outcome {
  ending end = ending::done;
  std::string error; ///< what went wrong, for people
};

/// One HTTP/1.1 exchange over a connection of its own. For https:// it uses TLS and requires a
/// certificate that is valid for the server's name; the trusted authorities are OpenSSL's
/// (SSL_CERT_FILE, SSL_CERT_DIR). It does not follow redirects.
class exchange {
public:
  exchange();
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;
  ~exchange();

  /// Makes the exchange, and blocks until it has ended or for `timeout`. Without a timeout it may
  /// take any time. Called once.
  outcome run(const request& x, std::optional<timespan> timeout, const reader& into);

  /// Ends the exchange, even if it has not begun. From any thread.
  void cancel();

private:
  class connection;
  std::unique_ptr<connection> connection_;
};

} // namespace scratchpage::http_client
