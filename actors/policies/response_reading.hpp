#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/waiting.hpp"

namespace scratchpage {

/// What a response of an agent says, as far as it matters to others.
struct response_reading {
  std::optional<waiting_kind>
    waits;                    ///< what it asks the person for; nothing if it asks for nothing
  std::string question;       ///< the sentences that ask, as they were said
  bool offers_help = false;   ///< it offers to do more, which asks for nothing
  bool tells_success = false; ///< it says that what was asked for is done
  bool tells_failure = false; ///< it says that something could not be done
};

/// Reads a response of an agent in any of the supported languages. "Anything else?" asks for
/// nothing.
response_reading read_response(std::string_view response);

} // namespace scratchpage
