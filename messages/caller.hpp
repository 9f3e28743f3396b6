#pragma once

#include <string>
#include <utility>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/seldom_text.hpp"

namespace scratchpage {

/// What a caller may do (contract 12). `tool`: add and query, and change what
/// it added itself; `daemon`: everything for its agent; `admin`: also the
/// registry of types.
enum class role : uint8_t { tool, daemon, admin };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<role>{"tool", "daemon", "admin"};

/// Identifies one trace entry; 0 is "none". See trace.hpp.
using span_id = uint64_t;

/// Who asks, in which turn, and because of what. Every request to the page
/// carries one; it becomes the observation's source. Whoever authenticates a
/// connection fills it in: nothing of it is ever taken from what a client claims.
struct caller {
  scratchpage::role role = role::daemon;
  source_kind kind = source_kind::daemon;
  std::string name;
  std::string turn_id;    ///< "" outside turns
  span_id cause = 0;      ///< the trace entry that led to this request
  seldom_text relayed_by; ///< who passes on what the user `name` said; "": nobody does
  /// Whether the request came through an edge or out of a tool, and not from the
  /// ensemble or the program that embeds it.
  bool outside = false;
  /// Whether a program only says that this is its name, and nobody has checked it. Such programs
  /// count as one where somebody may have only so much: a name costs nothing.
  bool claimed = false;

  static constexpr auto fields(auto all) {
    return all(required("role", &caller::role), required("kind", &caller::kind),
      required("name", &caller::name), optional("turn_id", &caller::turn_id),
      optional("cause", &caller::cause), optional("relayed_by", &caller::relayed_by),
      optional("outside", &caller::outside), optional("claimed", &caller::claimed));
  }
};

/// Whether a person asks, by themself: the only ones who answer for a user, consent,
/// and complete a user's action (contract 14).
inline bool is_person(const caller& x) {
  return x.kind == source_kind::user && x.relayed_by.empty();
}

/// As `said_by` of what they put on the page.
inline std::string said_by(const caller& x) {
  return said_by(source{x.kind, x.name, {}, {}, x.relayed_by});
}

/// Who has only so much of something, as an error says it.
inline std::string principal_of(const caller& x) {
  return x.claimed ? "all programs without a token together" : x.name;
}

/// A person who administers the agent, and may decide what any of its users is asked.
inline bool is_owner(const caller& x) {
  return is_person(x) && x.role == role::admin;
}

inline caller as_daemon(std::string name, std::string turn_id = {}, span_id cause = 0) {
  return {role::daemon, source_kind::daemon, std::move(name), std::move(turn_id), cause};
}

inline caller as_tool(std::string name, std::string turn_id = {}, span_id cause = 0) {
  return {role::tool, source_kind::tool, std::move(name), std::move(turn_id), cause};
}

/// A person, through whatever front end speaks for them.
inline caller as_user(std::string name, std::string turn_id = {}, span_id cause = 0) {
  return {role::daemon, source_kind::user, std::move(name), std::move(turn_id), cause};
}

inline caller as_admin(std::string name, std::string turn_id = {}, span_id cause = 0) {
  return {role::admin, source_kind::user, std::move(name), std::move(turn_id), cause};
}

} // namespace scratchpage
