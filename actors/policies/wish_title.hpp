#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

/// Whether a sentence asks, and does not only tell why: "I need a cab", "My sink leaks, please get
/// me a plumber".
bool asks_plainly(std::string_view sentence);

/// Whether a sentence says what is wanted: "Could you help me with that?" does not.
bool names_what_is_wanted(std::string_view sentence);

/// Whether a sentence says how a wish is to be fulfilled, and names no other: "Use my credit card".
bool tells_means(std::string_view sentence);

/// Whether a wish has "it", "that one", "there" and the like in it.
bool points_back(std::string_view sentence);

/// The parts of a sentence that are wishes of their own: "Book a flight" and "find a hotel there".
std::vector<std::string_view> wishes_in(std::string_view sentence);

} // namespace scratchpage
