#pragma once

#include <string>
#include <string_view>

/// Names of principals: tools, agents and persons. A reader must be able to tell them apart.

namespace scratchpage {

/// How a text looks to a person who reads it quickly: without invisible characters, without white
/// space at its ends, and with ASCII letters in lower case.
std::string look_of(std::string_view text);

/// Whether a name cannot be misread: it is UTF-8 and not empty, has no white space at its ends, and
/// no character that is invisible, controls a terminal or changes the direction of writing. It must
/// not read like a kind and a name ("user ann") or like a relay of words ("ann, relayed by bob").
bool is_plain_name(std::string_view name);

/// What an error says was expected if a name is not plain.
inline constexpr std::string_view plain_name =
  "a name without blanks at its ends and without control, invisible or reordering characters, "
  "that does not begin with 'daemon ', 'tool ' or 'user ' and has no ', relayed by'";

/// Whether a name is one of the ensemble's own (`component_names`) or looks like one: with other
/// white space or punctuation, with other forms of its letters, or with letters of other scripts
/// that look the same (`skeleton_of`). The word "daemon" before such a name makes no difference.
bool looks_like_component(std::string_view name);

} // namespace scratchpage
