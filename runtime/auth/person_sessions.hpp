#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage::access {

/// How the user of this machine is a person in a browser, on a server without tokens. A key
/// stands in the address that is printed for them; it opens one session, once and soon, and
/// the session lasts as long as the server. Nothing of it is kept but hashes. May be used
/// from any thread.
class person_sessions {
public:
  static constexpr timespan key_lifetime = std::chrono::minutes{10};
  static constexpr size_t most_keys = 8;      ///< that wait; the oldest makes room
  static constexpr size_t most_sessions = 64; ///< the oldest ends

  /// `name` is who the user of this machine is.
  explicit person_sessions(std::string name)
    : name_{std::move(name)} {}

  /// A new key, of 256 random bits.
  std::string make_key(timestamp now);

  /// A session's secret, to be sent as a bearer, in exchange for a key. Error: `forbidden`
  /// about `key` if it is none, was used, or is older than `key_lifetime`.
  caf::expected<std::string> open(std::string_view key, timestamp now);

  /// Who has that session: the person who owns the server's agents. None: nobody.
  std::optional<caller> find(std::string_view bearer) const;

  /// The address of the server, for those who print it with a key.
  void set_url(std::string url);
  std::string address(timestamp now);

private:
  struct key {
    std::string hash;
    timestamp made_at;
  };

  mutable std::mutex guard_;
  std::string name_;
  std::string url_;
  std::deque<key> keys_;
  std::deque<std::string> sessions_; // hashes, the oldest first
};

} // namespace scratchpage::access
