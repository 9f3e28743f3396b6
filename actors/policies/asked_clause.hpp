#pragma once

#include <string_view>

#include "scratchpage/actors/policies/spoken_language.hpp"

namespace scratchpage {

/// What a question states before it asks: "I'm left-handed" of "I'm left-handed, do you have
/// scissors?". "" if it only asks.
std::string_view stated_before_question(std::string_view sentence, spoken_language in);

/// What a question asks for in general: "always show prices with tax" of "Could you always show
/// prices with tax?". "" if it asks for nothing, or for one thing.
std::string_view demanded_by_question(std::string_view sentence);

} // namespace scratchpage
