#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// A day as people write it: "8 may 2023", in UTC.
class date_words {
public:
  explicit date_words(timestamp at) {
    std::chrono::year_month_day date{std::chrono::floor<std::chrono::days>(at)};
    put(static_cast<unsigned>(date.day()));
    put(' ');
    for (auto c : months[static_cast<unsigned>(date.month()) - 1])
      put(c);
    put(' ');
    put(static_cast<unsigned>(std::max(0, static_cast<int>(date.year()))));
  }

  std::string_view text() const { return {text_.data(), size_}; }

private:
  static constexpr std::array<std::string_view, 12> months{"january", "february", "march", "april",
    "may", "june", "july", "august", "september", "october", "november", "december"};

  void put(char c) { text_[size_++] = c; }
  void put(unsigned number) {
    if (number >= 10)
      put(number / 10);
    put(static_cast<char>('0' + number % 10));
  }

  std::array<char, 24> text_{}; // a timestamp's year has at most four digits
  size_t size_ = 0;
};

} // namespace scratchpage
