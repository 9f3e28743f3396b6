#pragma once

#include <string_view>

#include "scratchpage/persistence/privacy/text_scan.hpp"

namespace scratchpage {

/// Whether the last of `digits` is the check digit of the others (ISO/IEC 7812-1,
/// annex B: Luhn's formula).
bool passes_luhn(std::string_view digits);

/// Whether `digits` are a payment card's number: a prefix of a known issuer with
/// a length that this issuer gives out (ISO/IEC 7812), and Luhn's check digit.
bool is_card_number(std::string_view digits);

/// Card numbers of 12 to 19 digits in one piece or with single separators. A run
/// of digits and separators is taken as a whole if that is a card in any groups;
/// else what stands in it in an issuer's usual groups (one piece, 4-4-4-4, 4-6-5,
/// 4-6-4), so that a card is found beside its security code or a date.
text_ranges find_card_numbers(std::string_view text);

} // namespace scratchpage
