#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scratchpage/messages/time.hpp"

namespace scratchpage::telemetry {

/// What OpenTelemetry calls a span: something that was done, from when to when.
struct span {
  using value = std::variant<std::string, int64_t, double, bool>;

  std::string trace_id;  ///< 32 hexadecimal digits
  std::string span_id;   ///< 16
  std::string parent_id; ///< 16, or "": it is the first of its trace
  std::string name;
  bool is_server = false; ///< it answers a call from outside
  timestamp began;
  timestamp ended;
  std::string error;                                          ///< what kind it was; "": none
  std::vector<std::pair<std::string_view, value>> attributes; ///< whose names are constants
};

} // namespace scratchpage::telemetry
