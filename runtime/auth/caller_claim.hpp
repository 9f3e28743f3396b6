#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage::auth {

/// Which callers a client may claim to be where it has no token.
enum class claims : uint8_t {
  of_programs, ///< a tool or a daemon
  of_anybody,  ///< persons too: only the user of this machine can connect
};

inline constexpr size_t max_name_bytes = 128; ///< of a claimed name, as of an observation's owner

/// The value of the header `Scratchpage-Caller` for `x`.
std::string claim_of(const caller& x);

/// Reads the header's value: `{"role": …, "kind": …, "name": …}`. Only a person has to name its
/// `kind`; for others it follows from the role. If `may` is `of_programs`, the caller is `claimed`.
/// Errors name the header:
///
/// - `invalid_request` if it cannot be read, if the name is not plain (principal_name.hpp), or if
///   kind and role do not go together;
/// - `forbidden` for a role above `highest`, for a name that looks like an internal daemon's, and
///   for a person if `may` is `of_programs`.
caf::expected<caller> read_claim(std::string_view text, role highest, claims may);

/// Browser sessions for the user of this machine, on a server without tokens. The address that
/// `scratchpage page` prints has a key, which opens one session. The session lasts as long as the
/// server. Only hashes of keys and sessions are kept. May be used from any thread.
class person_sessions {
public:
  static constexpr timespan key_lifetime = std::chrono::minutes{10};
  static constexpr size_t max_keys = 8;      ///< unused ones; the oldest is dropped
  static constexpr size_t max_sessions = 64; ///< the oldest is ended

  /// `name` is the name of the user of this machine.
  explicit person_sessions(std::string name)
    : name_{std::move(name)} {}

  /// Makes a key of 256 random bits.
  std::string make_key(timestamp now);

  /// Opens a session with a key and gives the session's bearer token. Error: `forbidden` about
  /// `key` if it is unknown, was used, or is older than `key_lifetime`.
  caf::expected<std::string> open(std::string_view key, timestamp now);

  /// The person whose session it is, an admin; nothing if there is no such session.
  std::optional<caller> find(std::string_view bearer) const;

  /// Sets the address of the server, without a key.
  void set_url(std::string url);

  /// The address of the server with a new key.
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

} // namespace scratchpage::auth
