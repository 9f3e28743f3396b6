#pragma once

#include <string>
#include <string_view>

#include <caf/error.hpp>

/// Names of an agent's files. They are relative paths with `/`, such as
/// `scratchbook/trip.json`; whoever makes one from an id goes through here, and
/// so does a path that a model gives.

namespace scratchpage {

/// A name for any id, which no other id has: small letters, digits, `-` and `_`
/// stay, any other byte becomes `%` and two digits, so that it leaves no folder,
/// hides nowhere, and is the same where capitals are not told apart. An id that
/// would be longer than a file's name may be ends in its SHA-256 after a `~`.
std::string file_name_for(std::string_view id);

/// A name for what a file holds, the same for the same bytes: 32 digits of their
/// SHA-256.
std::string file_name_of_content(std::string_view bytes);

/// No error if `path` has one to eight names of 1 to 250 bytes between slashes, of
/// letters, digits and - _ . % ~, none of which begins with a dot. Error:
/// `invalid_request` with the field `path`.
caf::error check_file_path(std::string_view path);

} // namespace scratchpage
