#pragma once

#include <cstdint>
#include <string>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// One operation of one component (contract 10). Written by everybody, read by
/// no daemon. Entries of a turn form a tree through `parent`.
struct trace_entry {
  span_id id = 0;
  span_id parent = 0; ///< 0: nothing caused it but the outside
  timestamp at;       ///< JSON: `timestamp`
  std::string agent_id;
  std::string turn_id;
  std::string component; ///< "scratch_page", "router", …
  std::string operation; ///< "add_observation", …
  std::string status;    ///< "success", "warning", "partial", or an errc's name
  std::string source;    ///< who asked
  double duration_ms = 0;
  json::object detail; ///< ids and whatever else the operation is about
  /// In JSON a member of `detail`; beside it until somebody writes it down, since most
  /// entries tell of one (persistence/trace/trace_text.hpp).
  observation_ptr observation;

  static constexpr auto fields(auto all) {
    using self = trace_entry;
    return all(required("id", &self::id), optional("parent", &self::parent),
      required("timestamp", &self::at), optional("agent_id", &self::agent_id),
      optional("turn_id", &self::turn_id), required("component", &self::component),
      required("operation", &self::operation), required("status", &self::status),
      optional("source", &self::source), optional("duration_ms", &self::duration_ms),
      optional("detail", &self::detail));
  }
};

/// Whether a trace entry of this status tells of an error, whose code the status then is.
/// A warning is none, and neither is the partial answer of a query at its deadline.
inline bool is_error_status(std::string_view status) {
  return status != "success" && status != "warning" && status != "partial";
}

} // namespace scratchpage
