#pragma once

#include <string_view>
#include <vector>

namespace scratchpage {

struct listing_limits {
  static constexpr size_t text_bytes = 4'096; ///< a text that is longer is not read
  static constexpr size_t items = 16;         ///< of a list that are read
};

/// Several things that a text lists.
struct listing {
  std::string_view intro;              ///< what is said before them: "You have two: "
  std::vector<std::string_view> items; ///< "the standup at 9"; none if nothing is listed
  bool is_marked = false; ///< whether signs show that it is a list: lines, a colon or semicolons
};

/// The things that a text lists at its end: lines with a sign or a number before each, or the parts
/// of its last sentence. Questions behind them are left out. The views are of the text.
listing listed_in(std::string_view text);

} // namespace scratchpage
