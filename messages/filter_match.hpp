#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"

namespace scratchpage {

/// Whether `x` is what `filter` asks for (contract 3). An empty `status` means
/// any here; who wants live ones only says so in the filter. Reads no clock, so
/// expiry is the caller's business. Allocates nothing.
bool matches(const observation_filter& filter, const observation& x);

/// Whether who asked for what one of `filters` selects is told of the change
/// (contract 5). Ends are told whatever the status was.
bool is_wanted(const page_event& x, std::span<const observation_filter> filters);

/// Whether every one of `wanted` is among `tags`.
bool has_all_tags(const std::vector<std::string>& tags, const std::vector<std::string>& wanted);

/// Whether some scalar of `in` has the dotted `path` and equals `wanted`. A dot
/// separates members or is part of a member's name; either counts.
bool has_scalar(const json::object& in, std::string_view path, const json::value& wanted);

/// Equality of scalars: 1 equals 1.0 and nothing but numbers equals a number.
/// Lists and objects equal nothing, not even themselves.
bool equal_scalars(const json::value& a, const json::value& b);

} // namespace scratchpage
