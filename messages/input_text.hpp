#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/json/json.hpp"

/// Reads text that people or other programs wrote. Errors name the file, the line, the field and
/// what was expected.

namespace scratchpage {

/// Makes an `invalid_request` about an input file. `line` counts from 1; 0 means no particular
/// line. `field` is a path such as `messages[3].role`, or "".
caf::error bad_input(
  std::string_view file, size_t line, std::string_view field, std::string_view expected);

/// "FILE:LINE: FIELD: expected …": an error for a person, without its code.
std::string describe_input(const caf::error& err);

/// The last part of an error's text: what was expected.
std::string expectation_of(const caf::error& err);

/// Which form of JSON is accepted.
struct json_dialect {
  bool comments = false; ///< `//` and `/* */`
  size_t max_depth = 64;
};

/// Parses one JSON value that begins on line `first_line` of `file`.
caf::expected<json::value> parse_input(std::string_view text, std::string_view file,
  size_t first_line, const json_dialect& dialect = {});

/// The line, counted from 1, on which the value at `path` begins in `text`, which is valid JSON.
/// If there is no such value, the line of the closest value around it.
size_t line_of(std::string_view text, std::string_view path);

/// `text` without a byte order mark at its beginning.
std::string_view skip_bom(std::string_view text);

} // namespace scratchpage
