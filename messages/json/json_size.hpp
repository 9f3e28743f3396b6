#pragma once

#include <cstddef>
#include <string>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// The number of bytes of `to_text(x)`, which is not made for that. A number with a fraction may
/// count a few bytes more than it has. Counting ends soon after `most`, which bounds the cost: a
/// result above `most` only says that there are more bytes than that.
size_t json_size(const json::object& x, size_t most);
size_t json_size(const json::value& x, size_t most);

/// Whether `to_text(x)` has at most `most` bytes; numbers with a fraction count as in `json_size`.
/// If the object is far below the limit, the characters of its texts are not examined.
bool is_within(const json::object& x, size_t most);

/// About how many bytes of memory the members of the object take; 0 if it is empty.
size_t memory_of(const json::object& x);

/// The bytes of memory that a text takes beside the string object, in which short texts are stored.
size_t memory_of(const std::string& x);

} // namespace scratchpage
