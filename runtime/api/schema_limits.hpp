#pragma once

#include <string_view>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// Adds to the schema of an operation's arguments what the rules ask for beyond types:
/// bounds, lengths, and which of an enumeration's names a caller may say. Only what is
/// refused whatever the configuration; JSON Schema counts characters, so a limit in
/// bytes is as many of them at most. Nothing is added to the drafts of a batch but how many there
/// may be: one that breaks a rule refuses itself alone.
void add_limits(std::string_view operation, json::object& arguments);

} // namespace scratchpage
