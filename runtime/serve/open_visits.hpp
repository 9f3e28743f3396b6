#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "scratchpage/runtime/http/exchange.hpp"
#include "scratchpage/runtime/serve/doorkeeper.hpp"

namespace scratchpage::serve {

/// Streams outlast the request that opened them, and may outlast the right to: whoever is
/// no longer admitted, since a token was revoked or has expired, is shown out, and nothing that
/// waits is written to them. Each message of a WebSocket is heard only from who is admitted then.
class open_visits : public std::enable_shared_from_this<open_visits> {
public:
  /// `door` lives until `end` is called.
  explicit open_visits(doorkeeper& door)
    : door_{&door} {}

  /// The way back for a request that was let in; streams that begin on it are looked after.
  std::shared_ptr<http::exchange> watch(
    const http::request& asked, std::shared_ptr<http::exchange> to);

  /// Cuts off what would not be let in now.
  void check();

  /// Nothing is looked after any more.
  void end();

  /// How many streams are looked after.
  size_t count();

private:
  friend class watched_exchange;

  struct visit {
    http::request head; ///< what the door looks at, and no more
    std::weak_ptr<http::stream> stream;
  };

  void add(http::request head, const std::shared_ptr<http::stream>& x);
  void forget(uint64_t number);
  bool admits(const http::request& head);

  std::mutex guard_;
  doorkeeper* door_;
  std::map<uint64_t, visit> all_;
  uint64_t last_ = 0; ///< number that was given
};

} // namespace scratchpage::serve
