#pragma once

#include <string_view>

#include "scratchpage/actors/policies/spoken_language.hpp"

namespace scratchpage {

/// What a question states before it asks: "I'm left-handed" of "I'm left-handed, do you have
/// scissors?". "" if it only asks.
std::string_view stated_before_question(std::string_view sentence, spoken_language in);

} // namespace scratchpage
