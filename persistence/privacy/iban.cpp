#include "scratchpage/persistence/privacy/iban.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

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

/// ISO 7064: letters count from 10, what comes first goes to the end.
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

} // namespace

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

} // namespace scratchpage
