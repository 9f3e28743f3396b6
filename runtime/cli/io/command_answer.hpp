#pragma once

#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

/// How every command on a data directory answers: one line of JSON for programs,
/// sentences for people, and what went wrong on the error output. Untrusted text
/// cannot steer a terminal through any of it.

namespace scratchpage {

/// Says what is wrong, in the words of the options, and what the process ends
/// with: `bad_input` if the request was refused as such, else `unmet`.
exit_code complain(const command_environment& environment, const caf::error& err);

/// As above, when nothing was asked for yet.
exit_code complain_of_input(const command_environment& environment, const caf::error& err);

/// A sentence on the error output that changes nothing about the end.
void warn(const command_environment& environment, std::string_view sentence);

/// An error of the page, with the fields of a request as the options they were.
std::string describe_for_options(const caf::error& err);

/// JSON with whatever could steer a terminal escaped; its value is the same.
std::string to_safe_text(const json::value& value);

/// As above, of JSON that is text already: lines, of which each stays one.
std::string to_safe_json(std::string_view text);

/// The end of a command that wrote its answer: `unmet` if it could not be.
exit_code finish(const command_environment& environment, exit_code code = exit_code::ok);

} // namespace scratchpage
