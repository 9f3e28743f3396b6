#pragma once

#include <optional>
#include <string_view>

#include "scratchpage/messages/waiting.hpp"

namespace scratchpage {

/// How an input answers a question of this kind. Nothing if it does not speak to it.
std::optional<answer_kind> read_reply(
  std::string_view input, waiting_kind asked, std::string_view question);

} // namespace scratchpage
