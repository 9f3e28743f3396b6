#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <rapidcheck.h>

#include "scratchpage/persistence/privacy/pii_finders.hpp"

/// Generators of valid numbers, and of texts that are hard for the detector.

namespace scratchpage::test {

inline std::string some_digits(size_t count) {
  return *rc::gen::container<std::string>(count, rc::gen::inRange('0', static_cast<char>('9' + 1)));
}

/// A random valid card number without separators.
inline std::string some_card() {
  struct form {
    std::string_view prefix;
    size_t length;
  };
  auto x =
    *rc::gen::elementOf(std::vector<form>{{"4", 13}, {"4", 16}, {"4", 19}, {"51", 16}, {"55", 16},
      {"2221", 16}, {"2720", 16}, {"34", 15}, {"37", 15}, {"300", 14}, {"36", 14}, {"6011", 16},
      {"65", 16}, {"3528", 16}, {"62", 17}, {"62", 19}, {"50", 12}, {"67", 18}, {"2204", 16}});
  auto result = std::string{x.prefix} + some_digits(x.length - x.prefix.size() - 1) + "0";
  while (!passes_luhn(result))
    ++result.back();
  return result;
}

/// The digits in the groups that are printed on cards of that length.
inline std::string in_groups(const std::string& digits, std::string_view separator) {
  std::vector<size_t> sizes{4, 4, 4, 4, 4};
  if (digits.size() == 14 || digits.size() == 15)
    sizes = {4, 6, 5};
  std::string result;
  size_t from = 0;
  for (auto size : sizes) {
    if (from < digits.size())
      result.append(from > 0 ? separator : "").append(digits.substr(from, size));
    from += size;
  }
  return result;
}

/// A random valid IBAN without spaces.
inline std::string some_iban() {
  auto country = *rc::gen::element<std::string>("DE", "GB", "FR", "NO", "LC", "MT", "RU", "BE");
  auto account = *rc::gen::container<std::string>(
    iban_length(country) - 4, rc::gen::element('0', '1', '5', '9', 'A', 'Q', 'Z'));
  for (int check = 2; check <= 98; ++check) {
    auto two = std::to_string(check);
    auto result = country + std::string(2 - two.size(), '0') + two + account;
    if (is_iban(result))
      return result;
  }
  return {}; // not reached: one of the 97 check digits is valid
}

/// `text` with one of its digits replaced by another.
inline std::string with_one_digit_changed(std::string text) {
  std::vector<size_t> places;
  for (size_t i = 0; i < text.size(); ++i)
    if (is_digit(text[i]))
      places.push_back(i);
  auto& digit = text[*rc::gen::elementOf(places)];
  digit = static_cast<char>('0' + (digit - '0' + *rc::gen::inRange(1, 10)) % 10);
  return text;
}

/// A random text of pieces of personal data, similar texts, masks and separators.
inline std::string some_misleading_text() {
  auto piece = rc::gen::element<std::string>("jane", "@", "example.com", "a@b.org", "4111", "1111",
    "4111111111111111", "4111 1111 1111 1111", "1234 5678 ", "378282246310005", "+49", "+1 ", "00",
    "0151", "415", "555", "2671", "(030) ", "123-45-6789", "123", "45", "6789", "ssn ", "phone ",
    "call me ", "DE89", "3704", "0044", "0532", "0130", "00", "DE89370400440532013000", "1.2.3.4",
    "10", "0", "7", "255", "::", "fe80", "2001:db8::1", "::ffff:", ":", ".", "-", "_", "/", " ",
    ",", "x", "é", "€", "名", "\u00A0", "\u2011", "[email]", "[phone]", "[ip]", "[", "]", "v", "\n",
    "+", "2025-11-05", "T10:30:00Z", "obs_20251105_123", "49094111-1991-4060-a111-446655440000");
  auto pieces = *rc::gen::container<std::vector<std::string>>(piece);
  std::string result;
  for (const auto& x : pieces)
    result += x;
  return result;
}

} // namespace scratchpage::test
