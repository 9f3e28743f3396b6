#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scratchpage {

/// Where an entry stands in the trace of an agent. As a cursor: "EPOCH-BATCH-NUMBER".
struct trace_place {
  int64_t epoch = -1;
  int64_t batch = -1;
  int64_t number = 0; ///< in the batch

  std::string to_cursor() const;
};

/// An empty text is before all; nothing if it is no cursor.
std::optional<trace_place> read_trace_cursor(std::string_view text);

} // namespace scratchpage
