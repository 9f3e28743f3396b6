#pragma once

#include <string_view>

#include "scratchpage/persistence/privacy/text_scan.hpp"

namespace scratchpage {

/// How many characters an IBAN of that country has (the registry of ISO 13616);
/// 0 if the country, two capital letters, has none.
size_t iban_length(std::string_view country);

/// Whether `compact`, without separators and in capitals, is an IBAN (ISO 13616):
/// a known country, its length, check digits from 02 to 98, and remainder 1 by
/// ISO 7064's MOD 97-10.
bool is_iban(std::string_view compact);

/// IBANs in either case, in one piece or with a separator after any fourth
/// character (the form on paper), as words of their own.
text_ranges find_ibans(std::string_view text);

} // namespace scratchpage
