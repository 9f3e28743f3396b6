#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage::mcp {

/// The address of a turn's trace, `scratchpage://turns/ID/trace`, or of the part behind
/// a cursor of an earlier one, with `?cursor=CURSOR`.
struct trace_uri {
  static constexpr std::string_view form = "scratchpage://turns/{turn_id}/trace{?cursor}";

  std::string turn_id;
  std::string cursor; ///< "": from the beginning

  /// The arguments of `turn_trace`.
  json::object arguments() const;
};

/// Nothing if it is another address.
std::optional<trace_uri> read_trace_uri(std::string_view address);

} // namespace scratchpage::mcp
