#include "scratchpage/persistence/privacy/pii_finders.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <span>

namespace scratchpage {

namespace {

/// Scripts that put spaces between words. In other scripts a whole sentence before an address would
/// count as a part of it.
const std::string letters = "\\p{Latin}\\p{Greek}\\p{Cyrillic}\\p{Mn}";
const std::string letter_or_digit = "[" + letters + "0-9]";
const std::string label = letter_or_digit + "(?:[" + letters + "0-9-]*" + letter_or_digit + ")?";
const std::string domain =
  "(?:" + label + "\\.)+(?:[Xx][Nn]--[0-9A-Za-z-]*[0-9A-Za-z]|[" + letters + "]{2,})";
const std::string address_literal = "\\[(?:IPv6:)?[0-9A-Fa-f:.]+\\]";

/// The search is linear although the pattern has no bounds: no part of it goes beyond the next "@",
/// so each byte is examined for at most two addresses.
const text_pattern& address() {
  static const text_pattern pattern{
    "[" + letters + "0-9_][" + letters + "0-9._%+'-]*@(?:" + domain + "|" + address_literal + ")"};
  return pattern;
}

bool is_dense_picture(std::string_view found) {
  static const text_pattern pattern{"[1-9]x\\."};
  return pattern.fits_start(found.substr(found.find('@') + 1));
}

bool is_address(int family, std::string_view text) {
  std::array<char, INET6_ADDRSTRLEN> copy{}; // inet_pton needs a zero at the end
  std::array<unsigned char, sizeof(in6_addr)> address;
  if (text.size() >= copy.size())
    return false;
  std::copy(text.begin(), text.end(), copy.begin());
  return inet_pton(family, copy.data(), address.data()) == 1;
}

/// Removes what belongs to the sentence: a name before the address (`node:fe80::1`, because "de"
/// looks like digits), a single colon before it, and a colon or dot after it.
text_range trimmed(std::string_view text, text_range x) {
  auto run = text.substr(0, x.end());
  auto from = x.offset;
  auto single_colon = [&](size_t i) { return run.substr(i, 1) == ":" && run.substr(i, 2) != "::"; };
  if (is_word(before(text, from)))
    from = std::min(run.find(':', from), run.size());
  if (single_colon(from))
    ++from;
  auto to = run.size();
  if (to > from && run[to - 1] == '.')
    --to;
  if (to > from + 1 && run[to - 1] == ':' && run[to - 2] != ':')
    --to;
  return {from, to - from};
}

bool is_ipv6(std::string_view text, text_range x) {
  auto found = text.substr(x.offset, x.length);
  return is_whole_word(text, x) && std::any_of(found.begin(), found.end(), is_digit)
         && is_address(AF_INET6, found);
}

const std::string between_groups{separator_class};
/// What may be between groups; a slash may have a space on either side.
const std::string joint = "(?:" + between_groups + "|/| [/-] )";
/// What may be between digits, with parentheses: ") ", " (0)".
const std::string loose = "(?:" + between_groups + "|[/()]){0,3}";

/// One form of phone numbers.
struct phone_form {
  text_pattern pattern;
  size_t min_digits;
  size_t max_digits;
  bool (*fits)(std::string_view text, text_range x);
};

bool is_phone_end(std::string_view text, size_t end) {
  auto next = at_or_space(text, end);
  auto extension = (next == 'x' || next == 'X') && is_digit(at_or_space(text, end + 1));
  return !is_word(next) || extension;
}

/// Whether no digits on either side make it a part of something longer, such as a time, a decimal
/// number or the number of an order.
bool is_apart(std::string_view text, text_range x) {
  constexpr std::string_view gluing = "-/.:";
  auto left = before(text, x.offset);
  auto right = at_or_space(text, x.end());
  auto glued_left = left == '.' || left == ':'
                      ? x.offset > 1 && is_digit(text[x.offset - 2])
                      : std::string_view{"-/#$+"}.find(left) != std::string_view::npos;
  auto glued_right =
    gluing.find(right) != std::string_view::npos && is_digit(at_or_space(text, x.end() + 1));
  return !is_word(left) && !glued_left && !glued_right && is_phone_end(text, x.end());
}

bool starts_with_date(std::string_view found) {
  static const text_pattern date{"[0-3]?[0-9][ ./-][01]?[0-9][ ./-](?:19|20)[0-9]{2}\\b"
                                 "|(?:19|20)[0-9]{2}[ ./-][01]?[0-9][ ./-][0-3]?[0-9]\\b"};
  return date.fits_start(found);
}

/// Whether it has the form of a social security number, valid or not; that is never a phone number.
bool is_3_2_4(std::string_view found) {
  static const text_pattern shape{
    "[0-9]{3}" + between_groups + "[0-9]{2}" + between_groups + "[0-9]{4}$"};
  return shape.fits_start(found);
}

bool has_groups(std::string_view found) {
  return !std::all_of(found.begin(), found.end(), is_digit);
}

bool fits_plus(std::string_view text, text_range x) {
  return !is_word(before(text, x.offset)) && before(text, x.offset) != '+';
}

bool fits_national(std::string_view text, text_range x) {
  auto found = text.substr(x.offset, x.length);
  return is_apart(text, x) && has_groups(found) && !starts_with_date(found) && !is_3_2_4(found);
}

bool fits_named(std::string_view text, text_range x) {
  auto found = text.substr(x.offset, x.length);
  return is_phone_end(text, x.end()) && !starts_with_date(found) && !is_3_2_4(found);
}

/// All forms. Every pattern is bounded, so that the search stays linear even if it has to begin
/// again at the next byte.
const std::array<phone_form, 7>& forms() {
  auto more = "(?:" + loose + "[0-9])";
  static const std::array<phone_form, 7> all{{
    {text_pattern{"\\+[ (]{0,2}1" + more + "{7,17}"}, 8, 11, fits_plus},
    {text_pattern{"\\+[ (]{0,2}[2-9]" + more + "{7,17}"}, 8, 15, fits_plus},
    {text_pattern{"\\b00" + between_groups + "?[1-9]" + more + "{7,17}"}, 10, 17, fits_national},
    {text_pattern{"(?:\\b1" + between_groups + ")?(?:\\([2-9][0-9]{2}\\) ?|\\b[2-9][0-9]{2}" + joint
                  + ")[2-9][0-9]{2}" + between_groups + "[0-9]{4}"},
      10, 11, fits_national},
    {text_pattern{"\\b0[1-9][0-9]{0,4}(?:" + joint + "[0-9]{2,8}){1,5}"}, 9, 12, fits_national},
    {text_pattern{"\\([0-9]{2,5}\\) ?[0-9]{2,8}(?:" + joint + "[0-9]{2,8}){0,3}"}, 9, 12,
      fits_national},
    // No brackets in between, because they may belong to a mask.
    {text_pattern{"(?i)\\b(?:tel|telephone|(?:cell|mobile)? ?phone|mobile|cell|fax|whatsapp|sms"
                  "|call (?:me|us|him|her|them))"
                  "(?:[ \\t:.,=#\"'_-]{1,3}(?:number|phone|no|nr|is|at|on|to|back|via)){0,3}"
                  "[ \\t:.,=#\"'_-]{1,4}([0-9(]"
                  + more + "{6,15})"},
      7, 15, fits_named},
  }};
  return all;
}

/// The part of `x` up to the last whole group with which the number of digits is allowed for the
/// form; empty if there is none.
text_range cut_to_size(std::string_view text, text_range x, const phone_form& form) {
  size_t digits = 0;
  text_range result{x.offset, 0};
  for (auto i = x.offset; i < x.end() && digits <= form.max_digits; ++i) {
    digits += is_digit(text[i]) ? 1 : 0;
    auto ends_group = is_digit(text[i]) && !is_digit(at_or_space(text, i + 1));
    if (ends_group && digits >= form.min_digits && digits <= form.max_digits)
      result.length = i + 1 - x.offset;
  }
  return result;
}

void find_form(std::string_view text, const phone_form& form, text_ranges& found) {
  auto x = form.pattern.next(text, 0);
  while (x.length > 0) {
    auto phone = cut_to_size(text, x, form);
    auto fits = phone.length > 0 && form.fits(text, phone);
    if (fits)
      found.push_back(phone);
    x = form.pattern.next(text, fits ? phone.end() : x.offset + 1);
  }
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

text_ranges find_ipv6_addresses(std::string_view text) {
  // Each match is a whole run, so no byte is read twice.
  static const text_pattern run{"[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*"};
  text_ranges result;
  for (auto x = run.next(text, 0); x.length > 0; x = run.next(text, x.end()))
    if (auto address = trimmed(text, x); is_ipv6(text, address))
      result.push_back(address);
  return result;
}

text_ranges find_ipv4_addresses(std::string_view text) {
  static const text_pattern run{"[0-9]+(?:\\.[0-9]+)+"};
  text_ranges result;
  for (auto x = run.next(text, 0); x.length > 0; x = run.next(text, x.end()))
    if (is_whole_word(text, x) && is_address(AF_INET, text.substr(x.offset, x.length)))
      result.push_back(x);
  return result;
}

/// Whether a number may begin in the text that no name precedes. Such numbers begin with a plus, a
/// bracket or the first digit of a word, so that the ids of observations and turns have none.
bool may_begin_number(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '+' || text[i] == '(' || (is_digit(text[i]) && !is_word(before(text, i))))
      return true;
  return false;
}

/// Whether a word that begins with these letters may name a phone, as `forms` tells: "call",
/// "cell", "fax", "mobile", "phone", "sms", "tel", "whatsapp".
bool may_begin_name(char first, char second) {
  constexpr char small = 'a' - 'A';
  auto next = static_cast<char>(second | small);
  switch (static_cast<char>(first | small)) {
  case 'c':
    return next == 'a' || next == 'e';
  case 'f':
    return next == 'a';
  case 'm':
    return next == 'o';
  case 'p':
  case 'w':
    return next == 'h';
  case 's':
    return next == 'm';
  case 't':
    return next == 'e';
  default:
    return false;
  }
}

/// Whether a text may have a word that names a phone. A letter beyond ASCII may stand for one of
/// ASCII where capitals do not count.
bool may_name_phone(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i)
    if (static_cast<unsigned char>(text[i]) >= 0x80
        || may_begin_name(text[i], at_or_space(text, i + 1)))
      return true;
  return false;
}

text_ranges find_phone_numbers(std::string_view text) {
  text_ranges result;
  std::span<const phone_form> all{forms()};
  if (!may_begin_number(text))
    all = all.last(may_name_phone(text) ? 1 : 0); // the named ones: "tel_0301234567"
  for (const auto& form : all)
    find_form(text, form, result);
  return result;
}

} // namespace scratchpage
