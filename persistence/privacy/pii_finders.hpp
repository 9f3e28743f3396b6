#pragma once

#include <string_view>

#include "scratchpage/persistence/privacy/text_scan.hpp"

/// One function for each kind of personal data: it finds all data of that kind in a text.

namespace scratchpage {

// -- addresses and phone numbers --------------------------------------------------------

/// Addresses such as `jane.doe+news@mail.example.com` (RFC 5321, 4.1.2; RFC 5322, 3.4.1; RFC 6531
/// for letters beyond ASCII). They have a local part of letters, digits and `. _ % + - '`, and a
/// domain of two labels or more, whose last one has only letters or is `xn--…`, or an address in
/// brackets. Local parts that are longer than RFC 5321 allows are found, too. Quoted local parts,
/// hosts without a dot and file names of images for high resolutions (`icon@2x.png`) are not found.
text_ranges find_email_addresses(std::string_view text);

/// IPv6 addresses in every text form of RFC 4291, 2.2: eight groups, `::`, an IPv4 address at the
/// end. `/64` and `%eth0` are no part of the address. A form without any decimal digit is not
/// found, because `ab::cd` may be a name in C++.
text_ranges find_ipv6_addresses(std::string_view text);

/// IPv4 addresses: four decimal octets without leading zeros (RFC 3986, 3.2.2). `1.2.3.4` is always
/// found, even if it is a version; `v1.2.3.4` and numbers of more or fewer parts are not.
text_ranges find_ipv4_addresses(std::string_view text);

/// Phone numbers in the forms that distinguish them from other numbers:
/// - international (ITU-T E.164): `+` or `00`, a country code, 8 to 15 digits in
///   all; with `00` in groups;
/// - of the North American Numbering Plan: 3-3-4 in groups, with or without `1`;
///   area and exchange from 200 on;
/// - national with a trunk prefix: `0` and a digit from 1 on, 9 to 12 digits in
///   groups;
/// - with an area code in parentheses, 9 to 12 digits;
/// - 7 to 15 digits behind a word such as "phone", "tel." or "call me at".
/// Digits alone without such a word, and dates, are not found.
text_ranges find_phone_numbers(std::string_view text);

// -- numbers of accounts and persons ----------------------------------------------------

/// Whether the last of `digits` is the check digit of the others (ISO/IEC 7812-1,
/// annex B: Luhn's formula).
bool passes_luhn(std::string_view digits);

/// Whether `digits` are a payment card's number: a prefix of a known issuer with
/// a length that this issuer gives out (ISO/IEC 7812), and Luhn's check digit.
bool is_card_number(std::string_view digits);

/// Card numbers of 12 to 19 digits, in one piece or with single separators. If a run of digits and
/// separators is a card number as a whole, it is found, whatever its groups are. Else card numbers
/// within the run are found if they have the usual groups (one piece, 4-4-4-4, 4-6-5, 4-6-4), so
/// that a card is found beside its security code or a date.
text_ranges find_card_numbers(std::string_view text);

/// How many characters an IBAN of that country has (the registry of ISO 13616);
/// 0 if the country, two capital letters, has none.
size_t iban_length(std::string_view country);

/// Whether `compact`, without separators and in capitals, is an IBAN (ISO 13616):
/// a known country, its length, check digits from 02 to 98, and remainder 1 by
/// ISO 7064's MOD 97-10.
bool is_iban(std::string_view compact);

/// IBANs in upper or lower case, in one piece or with a separator after any fourth character (the
/// form on paper). They must be separate words.
text_ranges find_ibans(std::string_view text);

/// Whether nine digits may be a social security number of the United States
/// (Social Security Administration, POMS RM 10201.035): area not 000, 666 or from
/// 900 on, group not 00, serial not 0000.
bool is_social_security_number(std::string_view digits);

/// Such numbers, written 3-2-4 with the same separator twice, or as nine digits after "SSN" or
/// "social security number".
text_ranges find_social_security_numbers(std::string_view text);

} // namespace scratchpage
