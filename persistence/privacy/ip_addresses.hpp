#pragma once

#include <string_view>

#include "scratchpage/persistence/privacy/text_scan.hpp"

namespace scratchpage {

/// IPv6 addresses in every text form of RFC 4291, 2.2: eight groups, `::`, an
/// IPv4 address at the end. `/64` and `%eth0` are no part of it. A form without
/// any decimal digit is none: `ab::cd` may be a name in C++.
text_ranges find_ipv6_addresses(std::string_view text);

/// IPv4 addresses: four decimal octets without leading zeros (RFC 3986, 3.2.2).
/// `1.2.3.4` is one, whatever it was meant to be; `v1.2.3.4` and numbers of more
/// or fewer parts are none.
text_ranges find_ipv4_addresses(std::string_view text);

} // namespace scratchpage
