#pragma once

#include <cstdint>
#include <string_view>

namespace scratchpage {

/// The languages in which statements are retold.
enum class spoken_language : uint8_t { english, german, spanish, french, chinese, japanese };

/// The language of a text, by its script and its small words; English if nothing tells.
spoken_language language_of(std::string_view text);

} // namespace scratchpage
