#pragma once

#include <cstddef>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// How many bytes `to_text` makes of the object, without making them; numbers with a fraction
/// count as a few more at most. Counting ends soon after `most`, so that it costs as much as
/// what is allowed: what is more than that is more than `most`.
size_t json_size(const json::object& x, size_t most);
size_t json_size(const json::value& x, size_t most);

/// Whether `to_text` makes at most so many bytes of the object; numbers with a fraction count as in
/// `json_size`. The texts of an object that is far below that are not looked at.
bool is_within(const json::object& x, size_t most);

/// About how many bytes of memory the object's members take; 0 for an empty one.
size_t memory_of(const json::object& x);

} // namespace scratchpage
