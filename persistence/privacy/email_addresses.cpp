#include "scratchpage/persistence/privacy/email_addresses.hpp"

namespace scratchpage {

namespace {

/// Scripts that put spaces between words: of others, whole sentences before an
/// address would count as a part of it.
const std::string letters = "\\p{Latin}\\p{Greek}\\p{Cyrillic}\\p{Mn}";
const std::string letter_or_digit = "[" + letters + "0-9]";
const std::string label = letter_or_digit + "(?:[" + letters + "0-9-]*" + letter_or_digit + ")?";
const std::string domain =
  "(?:" + label + "\\.)+(?:[Xx][Nn]--[0-9A-Za-z-]*[0-9A-Za-z]|[" + letters + "]{2,})";
const std::string address_literal = "\\[(?:IPv6:)?[0-9A-Fa-f:.]+\\]";

/// Linear although nothing in it is bounded: no part of it goes beyond the next
/// "@", so no byte is looked at for more than two addresses.
const text_pattern& address() {
  static const text_pattern pattern{
    "[" + letters + "0-9_][" + letters + "0-9._%+'-]*@(?:" + domain + "|" + address_literal + ")"};
  return pattern;
}

bool is_dense_picture(std::string_view found) {
  static const text_pattern pattern{"[1-9]x\\."};
  return pattern.fits_start(found.substr(found.find('@') + 1));
}

} // namespace

text_ranges find_email_addresses(std::string_view text) {
  text_ranges result;
  if (text.find('@') == std::string_view::npos)
    return result;
  for (auto x = address().next(text, 0); x.length > 0; x = address().next(text, x.end()))
    if (!is_dense_picture(text.substr(x.offset, x.length)))
      result.push_back(x);
  return result;
}

} // namespace scratchpage
