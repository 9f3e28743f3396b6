#pragma once

#include <string_view>

namespace scratchpage::access {

/// Whether a host is this machine alone: `localhost`, 127.0.0.0/8 as four numbers, or
/// ::1, also in brackets. In small letters; other spellings of these are not known.
bool is_loopback(std::string_view host);

} // namespace scratchpage::access
