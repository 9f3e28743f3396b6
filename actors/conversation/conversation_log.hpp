#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/chat.hpp"

/// The messages in sight of a model as they are stored: JSON, one a line, so that
/// another is added at the end.

namespace scratchpage {

std::string to_line(const chat_message& x);

struct read_log {
  std::vector<chat_message> messages;
  bool is_torn = false; ///< its last line was not written to the end, and is left out
};

/// Reads it again. Error: `internal`, which names the line.
caf::expected<read_log> from_lines(std::string_view text);

} // namespace scratchpage
