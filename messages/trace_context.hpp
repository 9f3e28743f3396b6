#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scratchpage {

/// Which trace of a distributed system something belongs to, and to which span of it (W3C
/// Trace Context, level 1).
struct trace_context {
  std::string trace_id;  ///< 32 lower-case hexadecimal digits, not all 0
  std::string parent_id; ///< of a span: 16 of them, not all 0
  bool is_sampled = true;

  /// What a `traceparent` says; none if it says nothing that is understood. Later versions
  /// than 00 are read as far as that one goes.
  static std::optional<trace_context> parse(std::string_view traceparent);

  /// As it is sent.
  std::string to_traceparent() const;
};

} // namespace scratchpage
