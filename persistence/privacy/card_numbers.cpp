#include "scratchpage/persistence/privacy/card_numbers.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace scratchpage {

namespace {

constexpr size_t min_digits = 12;
constexpr size_t max_digits = 19;
constexpr size_t max_phone_digits = 15;

/// What an issuer gives out: the first four digits, and how many there are.
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

  /// How many groups from `first` on are a card, at best; 0 if none are.
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
  // A whole run at a time: no byte is looked at again by the pattern.
  static const text_pattern run{"[0-9]+(?:" + std::string{separator_class} + "[0-9]+)*"};
  text_ranges result;
  for (auto x = run.next(text, 0); x.length > 0; x = run.next(text, x.end()))
    if (x.length >= min_digits)
      run_reader{text, x}.read(result);
  return result;
}

} // namespace scratchpage
