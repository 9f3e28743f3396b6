#pragma once

#include <string_view>

#include "scratchpage/persistence/privacy/text_scan.hpp"

namespace scratchpage {

/// Phone numbers in the forms that tell them from other numbers:
/// - international (ITU-T E.164): `+` or `00`, a country code, 8 to 15 digits in
///   all; with `00` in groups;
/// - of the North American Numbering Plan: 3-3-4 in groups, with or without `1`;
///   area and exchange from 200 on;
/// - national with a trunk prefix: `0` and a digit from 1 on, 9 to 12 digits in
///   groups;
/// - with an area code in parentheses, 9 to 12 digits;
/// - 7 to 15 digits behind a word such as "phone", "tel." or "call me at".
/// Bare digits without such a word, and dates, are none.
text_ranges find_phone_numbers(std::string_view text);

} // namespace scratchpage
