#pragma once

#include <string>
#include <string_view>

namespace scratchpage {

/// Two values of which the second takes the place of the first.
struct value_exchange {
  std::string before; ///< "": none
  std::string after;
};

/// "We switched from Jira to Linear", "it's the 14th, not the 15th".
value_exchange exchange_in(std::string_view text);

/// The day or number of a text that tells nothing else: "no, it's Tuesday now"; "" if it tells
/// more. `is_right_behind`: the text follows a word that takes something back ("typo, 43"), and may
/// be any value of a known kind.
std::string value_put_right(std::string_view text, bool is_right_behind);

/// The value in the place of one of its kind in a statement: Tuesday for Monday.
value_exchange exchange_for(const std::string& value, std::string_view statement);

/// The one day or number of a text in the place of the one of a statement about the same: "30
/// pupils" for "28 pupils". `only_days`: no number, since the text may tell of anything.
value_exchange exchange_between(std::string_view text, std::string_view statement, bool only_days);

/// A statement with the second value in the place of the first; "" if it does not have the first.
std::string with_value(std::string_view statement, const value_exchange& values);

} // namespace scratchpage
