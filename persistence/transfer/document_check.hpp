#pragma once

#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

/// Bounds on the JSON that a store may hold: an episode is the largest.
inline constexpr json_limits stored_json{256u << 20, 64, any_number_of_values};

/// Whether the body of a document, which is a line of an export, is what those of
/// its collection are, and has its name. Errors: `invalid_request`, which names
/// the field.
caf::error check_document(const json::value& line);

/// The same, of another field than the one that it names.
caf::error with_field(const caf::error& err, std::string_view field);

} // namespace scratchpage
