#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>

#include <caf/error.hpp>

#include "scratchpage/runtime/auth/authenticator.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::auth {

/// Closes streams whose client has lost its access, because its token has expired or was revoked;
/// data that waits is not written to them. Each message of a WebSocket is handled, and each answer
/// is sent, only if the client would still be let in at that time. May be used from any thread.
class stream_revalidator : public std::enable_shared_from_this<stream_revalidator> {
public:
  /// A copy of a request with only what the authenticator reads.
  using head_ptr = std::shared_ptr<const http::request>;

  /// `by` has to live until `end` is called.
  explicit stream_revalidator(authenticator& by)
    : authenticator_{&by} {}

  /// Wraps the exchange of a request that was let in, so that streams that begin on it are watched.
  /// Streams of MCP carry answers: each piece is written only if the client would still be let in.
  std::shared_ptr<http::exchange> watch(
    const http::request& asked, std::shared_ptr<http::exchange> to);

  /// A function that authenticates the request again, for `principal::check_admission`. Empty if
  /// access cannot be lost.
  std::function<caf::error()> admission_of(const http::request& asked);

  /// Cuts off the streams whose client would not be let in now.
  void check();

  /// Stops watching.
  void end();

  /// How many streams are watched.
  size_t count();

private:
  friend class watched_exchange;
  friend class watched_stream;

  struct watched {
    head_ptr head;
    std::weak_ptr<http::stream> stream;
  };

  head_ptr head_of(const http::request& asked);
  void add(head_ptr head, const std::shared_ptr<http::stream>& x);
  void forget(uint64_t number);
  bool admits(const http::request& head);
  caf::error refusal_of(const http::request& head);

  std::shared_mutex guard_;
  authenticator* authenticator_;
  std::map<uint64_t, watched> all_; ///< by number
  uint64_t last_ = 0;               ///< number
};

} // namespace scratchpage::auth
