#include "scratchpage/persistence/privacy/pii_finders.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t min_digits = 12;
constexpr size_t max_digits = 19;
constexpr size_t max_phone_digits = 15;

/// Card numbers of an issuer: a range of the first four digits, and how many digits there are.
struct issuer_range {
  int first;
  int last;
  size_t min_length;
  size_t max_length;
};

constexpr std::array issuers = std::to_array<issuer_range>({
  {2200, 2204, 16, 19},                                             // Mir
  {2221, 2720, 16, 16},                                             // Mastercard
  {3000, 3059, 14, 19}, {3095, 3095, 14, 19},                       // Diners Club
  {3400, 3499, 15, 15}, {3700, 3799, 15, 15},                       // American Express
  {3528, 3589, 16, 19},                                             // JCB
  {3600, 3699, 14, 19}, {3800, 3999, 14, 19},                       // Diners Club
  {4000, 4999, 13, 13}, {4000, 4999, 16, 16}, {4000, 4999, 19, 19}, // Visa
  {5000, 5099, 12, 19}, // Maestro, RuPay, Verve, Dankort
  {5100, 5599, 16, 16}, // Mastercard
  {5600, 6999, 12, 19}, // Maestro, Discover, UnionPay, RuPay
  {8100, 8299, 16, 19}, // UnionPay, RuPay
  {9792, 9792, 16, 16}, // Troy
});

bool is_issued(std::string_view digits) {
  int prefix = 0;
  for (auto x : digits.substr(0, 4))
    prefix = prefix * 10 + (x - '0');
  return std::any_of(issuers.begin(), issuers.end(), [&](const issuer_range& x) {
    return prefix >= x.first && prefix <= x.last && digits.size() >= x.min_length
           && digits.size() <= x.max_length;
  });
}

/// The groups of digits in a run, as ranges of the text.
text_ranges groups_of(std::string_view text, text_range run) {
  text_ranges result;
  auto in_group = false;
  for (auto i = run.offset; i < run.end(); ++i) {
    if (is_digit(text[i]) && !in_group)
      result.push_back({i, 0});
    in_group = is_digit(text[i]);
    result.back().length += in_group ? 1 : 0;
  }
  return result;
}

/// Looks for cards in one run of digits and separators.
class run_reader {
public:
  run_reader(std::string_view text, text_range run)
    : text_{text},
      groups_{groups_of(text, run)} {}

  void read(text_ranges& found) const {
    for (size_t i = 0; i < groups_.size();) {
      auto count = card_at(i);
      if (count > 0)
        found.push_back(range(i, count));
      i += std::max<size_t>(count, 1);
    }
  }

private:
  text_range range(size_t first, size_t count) const {
    auto from = groups_[first].offset;
    return {from, groups_[first + count - 1].end() - from};
  }

  /// The largest number of groups from `first` on that are a card number; 0 if there is none.
  size_t card_at(size_t first) const {
    size_t best = 0;
    size_t digits = 0;
    for (auto i = first; i < groups_.size() && digits < max_digits; ++i) {
      digits += groups_[i].length;
      auto count = i - first + 1;
      if (digits >= min_digits && digits <= max_digits && is_card(first, count, digits))
        best = count;
    }
    return best;
  }

  bool is_card(size_t first, size_t count, size_t digits) const {
    auto x = range(first, count);
    auto is_phone = before(text_, x.offset) == '+' && digits <= max_phone_digits;
    return (count == groups_.size() || has_usual_groups(first, count)) && !is_phone
           && is_whole_word(text_, x)
           && is_card_number(digits_of(text_.substr(x.offset, x.length)));
  }

  bool has_usual_groups(size_t first, size_t count) const {
    auto are = [&](std::initializer_list<size_t> sizes) {
      return std::equal(sizes.begin(), sizes.end(), groups_.begin() + static_cast<ptrdiff_t>(first),
        groups_.begin() + static_cast<ptrdiff_t>(first + count),
        [](size_t size, const text_range& group) { return group.length == size; });
    };
    return count == 1 || are({4, 4, 4, 4}) || are({4, 6, 5}) || are({4, 6, 4});
  }

  std::string_view text_;
  text_ranges groups_;
};

struct country_length {
  std::string_view country;
  size_t length;
};

constexpr std::array lengths = std::to_array<country_length>({
  {"AD", 24},
  {"AE", 23},
  {"AL", 28},
  {"AT", 20},
  {"AZ", 28},
  {"BA", 20},
  {"BE", 16},
  {"BG", 22},
  {"BH", 22},
  {"BI", 27},
  {"BR", 29},
  {"BY", 28},
  {"CH", 21},
  {"CR", 22},
  {"CY", 28},
  {"CZ", 24},
  {"DE", 22},
  {"DJ", 27},
  {"DK", 18},
  {"DO", 28},
  {"EE", 20},
  {"EG", 29},
  {"ES", 24},
  {"FI", 18},
  {"FK", 18},
  {"FO", 18},
  {"FR", 27},
  {"GB", 22},
  {"GE", 22},
  {"GI", 23},
  {"GL", 18},
  {"GR", 27},
  {"GT", 28},
  {"HN", 28},
  {"HR", 21},
  {"HU", 28},
  {"IE", 22},
  {"IL", 23},
  {"IQ", 23},
  {"IS", 26},
  {"IT", 27},
  {"JO", 30},
  {"KW", 30},
  {"KZ", 20},
  {"LB", 28},
  {"LC", 32},
  {"LI", 21},
  {"LT", 20},
  {"LU", 20},
  {"LV", 21},
  {"LY", 25},
  {"MC", 27},
  {"MD", 24},
  {"ME", 22},
  {"MK", 19},
  {"MN", 20},
  {"MR", 27},
  {"MT", 31},
  {"MU", 30},
  {"NI", 28},
  {"NL", 18},
  {"NO", 15},
  {"OM", 23},
  {"PK", 24},
  {"PL", 28},
  {"PS", 29},
  {"PT", 25},
  {"QA", 29},
  {"RO", 24},
  {"RS", 22},
  {"RU", 33},
  {"SA", 24},
  {"SC", 31},
  {"SD", 18},
  {"SE", 24},
  {"SI", 19},
  {"SK", 24},
  {"SM", 27},
  {"SO", 23},
  {"ST", 25},
  {"SV", 28},
  {"TL", 23},
  {"TN", 24},
  {"TR", 26},
  {"UA", 29},
  {"VA", 22},
  {"VG", 24},
  {"XK", 20},
  {"YE", 30},
});

char upper(char x) {
  return x >= 'a' && x <= 'z' ? static_cast<char>(x - 'a' + 'A') : x;
}

bool is_capital_or_digit(char x) {
  return is_digit(x) || (x >= 'A' && x <= 'Z');
}

/// The remainder by ISO 7064: letters count from 10, and the first four characters move to the end.
unsigned remainder_97(std::string_view compact) {
  unsigned result = 0;
  for (size_t i = 0; i < compact.size(); ++i) {
    auto x = compact[(i + 4) % compact.size()];
    result = is_digit(x) ? result * 10 + static_cast<unsigned>(x - '0')
                         : result * 100 + static_cast<unsigned>(x - 'A' + 10);
    result %= 97;
  }
  return result;
}

/// Bytes of the separator that `text` starts with, 0 if it starts with none.
size_t separator_size(std::string_view text) {
  if (text.empty())
    return 0;
  auto x = utf8::first_character(text);
  auto fits = x.code == ' ' || x.code == '.' || x.code == '-' || x.code == 0xA0
              || (x.code >= 0x2009 && x.code <= 0x2013) || x.code == 0x202F;
  return fits ? x.bytes : 0;
}

/// Bytes of the IBAN that `text` starts with, 0 if it starts with none.
size_t size_of_first_iban(std::string_view text) {
  std::string country{upper(text[0]), upper(text[1])};
  auto length = iban_length(country);
  std::string compact;
  size_t i = 0;
  while (i < text.size() && compact.size() < length) {
    auto separator =
      !compact.empty() && compact.size() % 4 == 0 ? separator_size(text.substr(i)) : 0;
    i += separator;
    if (i == text.size() || !(is_letter(text[i]) || is_digit(text[i])))
      return 0;
    compact += upper(text[i++]);
  }
  return is_iban(compact) ? i : 0;
}

const std::string separator{separator_class};

/// Whether another group of digits follows at `from`, after `separator`.
bool goes_on(std::string_view text, size_t from, std::string_view separator) {
  return text.substr(std::min(from, text.size())).starts_with(separator)
         && is_digit(at_or_space(text, from + separator.size()));
}

/// As `goes_on`, to the left of `to`.
bool comes_from(std::string_view text, size_t to, std::string_view separator) {
  auto left = text.substr(0, to);
  return left.ends_with(separator) && is_digit(before(text, to - separator.size()));
}

/// Whether both separators are the same and no further group follows on either side: a longer row
/// of groups is not a social security number.
bool stands_alone(std::string_view text, text_range x) {
  auto found = text.substr(x.offset, x.length);
  auto second = found.size() - 4;
  auto width = (found.size() - 9) / 2;
  auto first = found.substr(3, width);
  return first == found.substr(second - width, width) && is_whole_word(text, x)
         && !goes_on(text, x.end(), first) && !comes_from(text, x.offset, first);
}

void find_grouped(std::string_view text, text_ranges& found) {
  static const text_pattern pattern{"[0-9]{3}" + separator + "[0-9]{2}" + separator + "[0-9]{4}"};
  for (auto x = pattern.next(text, 0); x.length > 0; x = pattern.next(text, x.offset + 3))
    if (stands_alone(text, x)
        && is_social_security_number(digits_of(text.substr(x.offset, x.length))))
      found.push_back(x);
}

void find_named(std::string_view text, text_ranges& found) {
  // No brackets in between, because they may belong to a mask.
  static const text_pattern pattern{
    "(?i)\\b(?:ssn|social security)(?: number| no\\.?)?[ \\t:=#\"']{1,4}(?:is )?([0-9]{9})\\b"};
  for (auto x = pattern.next(text, 0); x.length > 0; x = pattern.next(text, x.end()))
    if (is_social_security_number(text.substr(x.offset, x.length)))
      found.push_back(x);
}

} // namespace

bool passes_luhn(std::string_view digits) {
  int sum = 0;
  auto doubled = false;
  for (auto i = digits.rbegin(); i != digits.rend(); ++i, doubled = !doubled) {
    auto value = (*i - '0') * (doubled ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return !digits.empty() && sum % 10 == 0;
}

bool is_card_number(std::string_view digits) {
  return digits.size() >= min_digits && digits.size() <= max_digits
         && std::all_of(digits.begin(), digits.end(), is_digit) && is_issued(digits)
         && passes_luhn(digits);
}

text_ranges find_card_numbers(std::string_view text) {
  // Each match is a whole run, so the pattern reads no byte twice.
  static const text_pattern run{"[0-9]+(?:" + std::string{separator_class} + "[0-9]+)*"};
  text_ranges result;
  for (auto x = run.next(text, 0); x.length > 0; x = run.next(text, x.end()))
    if (x.length >= min_digits)
      run_reader{text, x}.read(result);
  return result;
}

size_t iban_length(std::string_view country) {
  const auto* found = std::find_if(
    lengths.begin(), lengths.end(), [&](const auto& x) { return x.country == country; });
  return found != lengths.end() ? found->length : 0;
}

bool is_iban(std::string_view compact) {
  if (compact.size() < 4 || compact.size() != iban_length(compact.substr(0, 2))
      || !std::all_of(compact.begin(), compact.end(), is_capital_or_digit))
    return false;
  auto check = compact.substr(2, 2);
  return is_digit(check[0]) && is_digit(check[1]) && check >= "02" && check <= "98"
         && remainder_97(compact) == 1;
}

text_ranges find_ibans(std::string_view text) {
  static const text_pattern start{"\\b[A-Za-z]{2}[0-9]{2}"};
  text_ranges result;
  for (auto x = start.next(text, 0); x.length > 0; x = start.next(text, x.end())) {
    x.length = std::max(x.length, size_of_first_iban(text.substr(x.offset)));
    if (x.length > 4 && is_whole_word(text, x))
      result.push_back(x);
  }
  return result;
}

bool is_social_security_number(std::string_view digits) {
  if (digits.size() != 9 || !std::all_of(digits.begin(), digits.end(), is_digit))
    return false;
  auto area = digits.substr(0, 3);
  return area != "000" && area != "666" && area < "900" && digits.substr(3, 2) != "00"
         && digits.substr(5) != "0000";
}

text_ranges find_social_security_numbers(std::string_view text) {
  text_ranges result;
  find_grouped(text, result);
  find_named(text, result);
  return result;
}

} // namespace scratchpage
