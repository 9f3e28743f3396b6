#pragma once

#include <cstdint>
#include <string_view>

namespace scratchpage {

/// XXH3 of 64 bits, with which everything that is stored is stored. It finds
/// what a disk has changed, not what a person has.
uint64_t checksum_of(std::string_view bytes);

} // namespace scratchpage
