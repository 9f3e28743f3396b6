#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/boxed.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// What a caller may do (contract 12). `tool` may add, query, and change what it added itself;
/// `daemon` may do everything for its agent; `admin` may also register types.
enum class role : uint8_t { tool, daemon, admin };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<role>{"tool", "daemon", "admin"};

/// Identifies one trace entry; 0 is "none". See trace.hpp.
using span_id = uint64_t;

/// Who sends a request, in which turn, and which trace entry caused it. Every request to the page
/// has a caller, which becomes the source of what the request adds. The code that authenticates a
/// connection fills it in; no member is taken from what a client claims.
struct caller {
  scratchpage::role role = role::daemon;
  source_kind kind = source_kind::daemon;
  std::string name;
  std::string turn_id;    ///< "" outside turns
  span_id cause = 0;      ///< the trace entry that led to this request
  seldom_text relayed_by; ///< who passes on the words of the user `name`; "" if nobody does
  /// Names the request among those of this caller (request_key.hpp); "": it has no key.
  seldom_text request_key;
  /// True if the request came through an edge or from a tool, false if it came from the ensemble or
  /// from the program that embeds it.
  bool outside = false;
  /// True if nobody has checked the name. Where the share of a principal is limited, all programs
  /// with unchecked names count as one principal, because anybody can invent names.
  bool claimed = false;

  static constexpr auto fields(auto all) {
    return all(required("role", &caller::role), required("kind", &caller::kind),
      required("name", &caller::name), optional("turn_id", &caller::turn_id),
      optional("cause", &caller::cause), optional("relayed_by", &caller::relayed_by),
      optional("request_key", &caller::request_key), optional("outside", &caller::outside),
      optional("claimed", &caller::claimed));
  }
};

/// Whether the caller is a person who speaks for themself. Only such a caller answers for a user,
/// consents, or completes an action of the user (contract 14).
inline bool is_person(const caller& x) {
  return x.kind == source_kind::user && x.relayed_by.empty();
}

/// The caller in the form that `said_by` gives for an observation of theirs.
inline std::string said_by(const caller& x) {
  return said_by(source{x.kind, x.name, {}, {}, x.relayed_by});
}

/// The principal whose share is limited, as error texts name it.
inline std::string principal_of(const caller& x) {
  return x.claimed ? "all programs without a token together" : x.name;
}

/// Whether the caller is a person with the role `admin`. Such a person may answer what any user of
/// the agent is asked.
inline bool is_owner(const caller& x) {
  return is_person(x) && x.role == role::admin;
}

inline caller as_daemon(std::string name, std::string turn_id = {}, span_id cause = 0) {
  return {role::daemon, source_kind::daemon, std::move(name), std::move(turn_id), cause};
}

inline caller as_tool(std::string name, std::string turn_id = {}, span_id cause = 0) {
  return {role::tool, source_kind::tool, std::move(name), std::move(turn_id), cause};
}

/// A person, whatever front end they use.
inline caller as_user(std::string name, std::string turn_id = {}, span_id cause = 0) {
  return {role::daemon, source_kind::user, std::move(name), std::move(turn_id), cause};
}

inline caller as_admin(std::string name, std::string turn_id = {}, span_id cause = 0) {
  return {role::admin, source_kind::user, std::move(name), std::move(turn_id), cause};
}

/// The name of who subscribes for daemons that are not there yet.
inline constexpr std::string_view stand_in_name = "stand_in";

/// The names of the ensemble's own daemons and services as sources. They are reserved: a caller
/// from an edge is refused under such a name, so an observation of `{daemon: executor}` always
/// comes from the Executor. A daemon of the program that embeds the ensemble has another name,
/// unless it takes the place of a built-in daemon: then it needs exactly the name of that daemon,
/// because the ensemble takes a decision only from the daemon that it names.
inline constexpr std::array<std::string_view, 19> component_names{"agent_compactor", "clarifier",
  "consciousness", "conversations", "episodic_memory", "error_handler", "evaluator", "executor",
  "frontal_cortex", "housekeeping", "journal", "reflector", "router", "scratch_page",
  "scratchbooks", "semantic_memory", stand_in_name, "system_analyzer", "turns"};

inline bool is_component(std::string_view name) {
  return std::find(component_names.begin(), component_names.end(), name) != component_names.end();
}

/// Whether this is a daemon or service of the ensemble itself.
inline bool is_of_ensemble(const source& x) {
  return x.kind == source_kind::daemon && is_component(x.name);
}

} // namespace scratchpage
