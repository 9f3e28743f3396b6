#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

namespace access {

/// What somebody may do to an agent's data.
enum class right : uint8_t { read, write };

} // namespace access

template <>
inline constexpr std::array<std::string_view, 2> enum_names<access::right>{"read", "write"};

namespace access {

/// What is kept of a token.
struct token_entry {
  std::string id;
  std::string hash;                                   ///< of the secret, which is nowhere
  std::string name;                                   ///< whom it is for
  std::vector<std::string> agents{"*"};               ///< ids; `*` stands for any letters, or none
  scratchpage::role role = scratchpage::role::daemon; ///< and those below it
  access::right right = access::right::write;         ///< writing includes reading
  bool person = false;                                ///< whether a person has it; see `is_persons`
  timestamp created_at{};
  std::optional<timestamp> expires_at; ///< from then on it is nobody's
  std::optional<timestamp> revoked_at;

  static constexpr auto fields(auto all) {
    using self = token_entry;
    return all(required("id", &self::id), required("hash", &self::hash),
      required("name", &self::name), required("agents", &self::agents),
      required("role", &self::role), required("right", &self::right),
      optional("person", &self::person), required("created_at", &self::created_at),
      optional("expires_at", &self::expires_at), optional("revoked_at", &self::revoked_at));
  }
};

/// Whether what is done with it counts as done by a person (a `user`, contract 1), who may
/// decide on what is the user's. Whoever is an admin is one, and a tool never is.
inline bool is_persons(const token_entry& x) {
  return x.role == scratchpage::role::admin || (x.person && x.role != scratchpage::role::tool);
}

/// Where a token's life has come to.
enum class token_state : uint8_t { valid, expired, revoked };

inline token_state state_of(const token_entry& x, timestamp now) {
  if (x.revoked_at)
    return token_state::revoked;
  return x.expires_at && now >= *x.expires_at ? token_state::expired : token_state::valid;
}

} // namespace access

template <>
inline constexpr std::array<std::string_view, 3> enum_names<access::token_state>{
  "valid", "expired", "revoked"};

} // namespace scratchpage
