#pragma once

#include <string>
#include <string_view>

/// Names of principals: tools, agents and persons. Whoever reads one has to know who is meant.

namespace scratchpage {

/// How a text looks to a person who reads it quickly: without what is invisible, without blanks at
/// its ends, and in small letters.
std::string look_of(std::string_view text);

/// Whether a name says what it looks like: it is UTF-8, is not empty, has no blanks at its ends,
/// and no character that is invisible, steers a terminal or turns the direction of writing. Nor is
/// it read as the kind of somebody else and their name ("user ann"), or as who passed on their
/// words
/// ("ann, relayed by bob").
bool is_plain_name(std::string_view name);

/// What an error says that it expected where a name is not plain.
inline constexpr std::string_view plain_name =
  "a name without blanks at its ends and without control, invisible or reordering characters, "
  "that does not begin with 'daemon ', 'tool ' or 'user ' and has no ', relayed by'";

/// Whether a name is one of the ensemble's own (component_names.hpp), or looks like one: with other
/// blanks or punctuation, in other forms of its letters, or with letters of other scripts that look
/// the same (look_alikes.hpp), also behind "daemon".
bool looks_like_component(std::string_view name);

} // namespace scratchpage
