#pragma once

#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/text/text_end.hpp"

namespace scratchpage {

/// JSON for people and for files: numbers in plain notation (0.99, not 9.9E-1),
/// members in their order, the same bytes for the same value.
std::string to_text(const json::value& value);
std::string to_text(const json::object& object);

/// The same over several lines, indented by two spaces.
std::string to_pretty_text(const json::value& value);

/// The parts of it, each at the end of `out`.
void append_text(text_end& out, const json::value& value);
void append_text(text_end& out, const json::object& object);
/// With a fraction, ".0" if there is none; null if it is not finite.
void append_text(text_end& out, double number);
/// In quotation marks. `text` is valid UTF-8.
void append_quoted(text_end& out, std::string_view text);

void append_text(std::string& out, const json::value& value);
void append_quoted(std::string& out, std::string_view text);

} // namespace scratchpage
