#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scratchpage/messages/enum_names.hpp"

namespace scratchpage {

/// Personally identifiable information that is recognised by its form
/// (contract 12).
enum class pii_kind : uint8_t { email, phone, card, iban, ssn, ip };

template <>
inline constexpr std::array<std::string_view, 6> enum_names<pii_kind>{
  "email", "phone", "card", "iban", "ssn", "ip"};

/// One such thing in a text; offset and length count bytes.
struct pii_span {
  pii_kind kind = pii_kind::email;
  size_t offset = 0;
  size_t length = 0;

  bool operator==(const pii_span&) const = default;
};

} // namespace scratchpage
