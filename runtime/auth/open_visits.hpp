#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>

#include <caf/error.hpp>

#include "scratchpage/runtime/auth/doorkeeper.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::serve {

/// Streams outlast the request that opened them, and may outlast the right to: whoever is
/// no longer admitted, since a token was revoked or has expired, is shown out, and nothing that
/// waits is written to them. Each message of a WebSocket is heard only from who is admitted then,
/// and answers, which may come long after they were asked for, are given to nobody else.
class open_visits : public std::enable_shared_from_this<open_visits> {
public:
  /// The part of a request that doors look at.
  using head_ptr = std::shared_ptr<const http::request>;

  /// `door` lives until `end` is called.
  explicit open_visits(doorkeeper& door)
    : door_{&door} {}

  /// The way back for a request that was let in; streams that begin on it are looked after. One of
  /// MCP has answers on it, so each piece of it is written only to who is admitted then.
  std::shared_ptr<http::exchange> watch(
    const http::request& asked, std::shared_ptr<http::exchange> to);

  /// Asks again whether whoever has sent it would be let in; for `visitor::check_admission`. Empty
  /// if the door shows nobody out.
  std::function<caf::error()> admission_of(const http::request& asked);

  /// Cuts off what would not be let in now.
  void check();

  /// Nothing is looked after any more.
  void end();

  /// How many streams are looked after.
  size_t count();

private:
  friend class watched_exchange;
  friend class watched_stream;

  struct visit {
    head_ptr head;
    std::weak_ptr<http::stream> stream;
  };

  head_ptr head_of(const http::request& asked);
  void add(head_ptr head, const std::shared_ptr<http::stream>& x);
  void forget(uint64_t number);
  bool admits(const http::request& head);
  caf::error refusal_of(const http::request& head);

  std::shared_mutex guard_;
  doorkeeper* door_;
  std::map<uint64_t, visit> all_;
  uint64_t last_ = 0; ///< number that was given
};

} // namespace scratchpage::serve
