#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// The content of a message of a transcript, in whichever form it has.
struct message_content {
  std::string text;                         ///< its texts, one line each
  std::vector<const json::object*> calls;   ///< parts of the type `tool_use`
  std::vector<const json::object*> answers; ///< parts of the type `tool_result`
  std::vector<const json::object*> unknown; ///< parts of an unknown type, which are left out
};

/// Reads a text, nothing, a part, or a list of texts and parts. Pictures, sounds, files and
/// reasoning are left out, since a page has no room for them. Any other value is read as its JSON.
message_content read_content(const json::value* in);

/// As above, for what a tool has answered: an object or a list that is not in the form of parts is
/// data, and is read as its JSON.
message_content read_answer_content(const json::value* in);

/// A member that exists and is not null, or null.
const json::value* member_of(const json::object& in, std::string_view name);

/// The text of a member, or "".
std::string_view text_of(const json::object& in, std::string_view name);

} // namespace scratchpage
