#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scratchpage {

/// The n of an id of the form `<prefix>_<yyyymmdd>_<n>`; nothing if it has none.
std::optional<uint64_t> number_of(std::string_view id);

/// Adds n to an id's beginning, in at least three digits (contract 1).
void append_number(std::string& id, uint64_t number);

} // namespace scratchpage
