#pragma once

#include <cstddef>
#include <string>

#include "scratchpage/messages/trace.hpp"

/// Callers choose some of the texts in a trace: an id that they ask for, the words of a query.
/// What they choose is bounded before it waits, is written or is exported.

namespace scratchpage {

struct trace_limits {
  static constexpr size_t name_bytes = 256;      ///< of the turn's id, and of who asked
  static constexpr size_t text_bytes = 1'024;    ///< of one text in an entry's detail
  static constexpr size_t detail_bytes = 16'384; ///< of all texts in an entry's detail
};

/// An entry's turn or source, cut to `trace_limits`; what was cut ends with "…".
std::string shortened_name(const std::string& x);

/// Shortens the texts of the detail to `trace_limits`; what was cut ends with "…".
void shorten_texts(json::object& detail);

/// About how many bytes of memory the entry takes, with the observation that it tells of.
size_t memory_of(const trace_entry& x);

} // namespace scratchpage
