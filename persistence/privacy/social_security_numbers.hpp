#pragma once

#include <string_view>

#include "scratchpage/persistence/privacy/text_scan.hpp"

namespace scratchpage {

/// Whether nine digits may be a social security number of the United States
/// (Social Security Administration, POMS RM 10201.035): area not 000, 666 or from
/// 900 on, group not 00, serial not 0000.
bool is_social_security_number(std::string_view digits);

/// Such numbers written 3-2-4 with the same separator twice, or as nine digits
/// behind "SSN" or "social security number".
text_ranges find_social_security_numbers(std::string_view text);

} // namespace scratchpage
