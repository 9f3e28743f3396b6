#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// What a call did to the world.
struct deed {
  bool changes = false;   ///< it books, sends, pays, plays, creates…; otherwise it only looks
  bool succeeded = false; ///< what it was to do is done
};

/// Reads a call by the words of its tool's id, its inputs and what the tool answered. `idempotent`
/// is what the one who reported the call says of it; it counts if nothing else tells.
deed read_deed(std::string_view tool_id, const json::object& inputs, const json::object& outputs,
  std::optional<bool> idempotent);

/// What the words of a tool's id say: true if it changes something, false if it only looks, nothing
/// if they do not tell.
std::optional<bool> changes_by_name(std::string_view tool_id);

/// Whether a tool only looks, whatever was agreed before the call. "Get" alone leaves it open: it
/// looks at a price and brings a taxi.
bool surely_looks(std::string_view tool_id);

/// The words of a tool's id in lower case: "sendMail" and "send_mail" have two.
std::vector<std::string> words_of_id(std::string_view tool_id);

} // namespace scratchpage
