#pragma once

#include <string_view>

#include "scratchpage/persistence/privacy/text_scan.hpp"

namespace scratchpage {

/// Addresses such as `jane.doe+news@mail.example.com` (RFC 5321, 4.1.2; RFC 5322,
/// 3.4.1; RFC 6531 for letters beyond ASCII): a local part of letters, digits and
/// `. _ % + - '`, and a domain of two labels or more whose last is of letters or
/// `xn--…`, or an address in brackets. Longer local parts than RFC 5321 allows
/// are found too. Quoted local parts, hosts without a dot and pictures for dense
/// screens (`icon@2x.png`) are not.
text_ranges find_email_addresses(std::string_view text);

} // namespace scratchpage
