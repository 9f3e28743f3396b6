#pragma once

#include <string>
#include <string_view>

namespace scratchpage {

struct title_limits {
  static constexpr size_t bytes = 80; ///< of a title
};

/// What a person would write on a list for a wish: without "I want to" and politeness, with its
/// details. "" if nothing is left.
std::string title_of_wish(std::string_view sentence);

/// The stems of what a wish is about, a verb and the thing, without its details: "get tabl" for
/// "I want to book a table for two" and for "reserve us a table at Sino".
std::string topic_of_wish(std::string_view sentence);

/// Whether a wish names its thing only as "it", "that one" and the like.
bool points_back(std::string_view sentence);

} // namespace scratchpage
