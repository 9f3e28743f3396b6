#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// The value at a dotted path ("customer.address.city"), or null. A list's
/// entries are not reached.
const json::value* at_path(const json::object& in, std::string_view path);

/// The text at a dotted path, or "" if there is none or it is not a text.
std::string text_at(const json::object& in, std::string_view path);

/// The same without a copy; it is good as long as the object stays as it is.
std::string_view text_view_at(const json::object& in, std::string_view path);

/// The number at a dotted path.
std::optional<double> number_at(const json::object& in, std::string_view path);

} // namespace scratchpage
