#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// One operation of one component (contract 10). Every component writes entries; no daemon reads
/// them. The entries of a turn form a tree through `parent`.
struct trace_entry {
  span_id id = 0;
  span_id parent = 0; ///< 0 if the cause is outside
  timestamp at;       ///< JSON: `timestamp`
  std::string agent_id;
  std::string turn_id;
  std::string component; ///< "scratch_page", "router", …
  std::string operation; ///< "add_observation", …
  std::string status;    ///< "success", "warning", "partial", or an errc's name
  std::string source;    ///< who asked
  double duration_ms = 0;
  json::object detail; ///< ids and whatever else the operation is about
  /// The observation that the entry is about. It becomes a member of `detail` only when the entry
  /// is written (`complete` in persistence/trace/trace_sink.hpp), because most entries have one.
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

/// Whether the status of a trace entry is the code of an error. A warning is no error, and neither
/// is the partial answer of a query at its deadline.
inline bool is_error_status(std::string_view status) {
  return status != "success" && status != "warning" && status != "partial";
}

/// The trace of a distributed system to which something belongs, and the span that caused it (W3C
/// Trace Context, level 1).
struct trace_context {
  std::string trace_id;  ///< 32 lower-case hexadecimal digits, not all 0
  std::string parent_id; ///< id of the span: 16 such digits, not all 0
  bool is_sampled = true;

  /// Parses the value of a `traceparent`; nothing if it is malformed. Of a version after 00 only
  /// the members of version 00 are read.
  static std::optional<trace_context> parse(std::string_view traceparent);

  /// The value of the `traceparent` to send.
  std::string to_traceparent() const;
};

} // namespace scratchpage
