#include "scratchpage/persistence/privacy/phone_numbers.hpp"

#include <algorithm>
#include <array>

namespace scratchpage {

namespace {

const std::string separator{separator_class};
/// Between groups; a slash may have a space on either side.
const std::string joint = "(?:" + separator + "|/| [/-] )";
/// Between digits, parentheses included: ") ", " (0)".
const std::string loose = "(?:" + separator + "|[/()]){0,3}";

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

/// Whether a group of digits on either side makes it a part of something longer:
/// a time, a decimal, an order's number.
bool stands_alone(std::string_view text, text_range x) {
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

/// Social security numbers, valid or not, are none of ours.
bool is_3_2_4(std::string_view found) {
  static const text_pattern shape{"[0-9]{3}" + separator + "[0-9]{2}" + separator + "[0-9]{4}$"};
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
  return stands_alone(text, x) && has_groups(found) && !starts_with_date(found) && !is_3_2_4(found);
}

bool fits_named(std::string_view text, text_range x) {
  auto found = text.substr(x.offset, x.length);
  return is_phone_end(text, x.end()) && !starts_with_date(found) && !is_3_2_4(found);
}

/// Every pattern is bounded, so that a search that has to begin again at the next
/// byte stays linear.
const std::array<phone_form, 7>& forms() {
  auto more = "(?:" + loose + "[0-9])";
  static const std::array<phone_form, 7> all{{
    {text_pattern{"\\+[ (]{0,2}1" + more + "{7,17}"}, 8, 11, fits_plus},
    {text_pattern{"\\+[ (]{0,2}[2-9]" + more + "{7,17}"}, 8, 15, fits_plus},
    {text_pattern{"\\b00" + separator + "?[1-9]" + more + "{7,17}"}, 10, 17, fits_national},
    {text_pattern{"(?:\\b1" + separator + ")?(?:\\([2-9][0-9]{2}\\) ?|\\b[2-9][0-9]{2}" + joint
                  + ")[2-9][0-9]{2}" + separator + "[0-9]{4}"},
      10, 11, fits_national},
    {text_pattern{"\\b0[1-9][0-9]{0,4}(?:" + joint + "[0-9]{2,8}){1,5}"}, 9, 12, fits_national},
    {text_pattern{"\\([0-9]{2,5}\\) ?[0-9]{2,8}(?:" + joint + "[0-9]{2,8}){0,3}"}, 9, 12,
      fits_national},
    // No brackets in between: what stands in them may be a mask.
    {text_pattern{"(?i)\\b(?:tel|telephone|(?:cell|mobile)? ?phone|mobile|cell|fax|whatsapp|sms"
                  "|call (?:me|us|him|her|them))"
                  "(?:[ \\t:.,=#\"'_-]{1,3}(?:number|phone|no|nr|is|at|on|to|back|via)){0,3}"
                  "[ \\t:.,=#\"'_-]{1,4}([0-9(]"
                  + more + "{6,15})"},
      7, 15, fits_named},
  }};
  return all;
}

/// The part of `x` up to the last whole group that keeps within the form's number
/// of digits; empty if there is none.
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

text_ranges find_phone_numbers(std::string_view text) {
  text_ranges result;
  for (const auto& form : forms())
    find_form(text, form, result);
  return result;
}

} // namespace scratchpage
