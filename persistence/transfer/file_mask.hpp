#pragma once

#include <string>
#include <string_view>

#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

/// What a file holds, without personal data. A scratchbook stays one: what is
/// freely written in its items is masked, ids and numbers stay. Any other file is a
/// text, and where it is no UTF-8, the texts between. What holds none stays as it
/// is, byte for byte.
std::string masked_file(const pii_masker& with, std::string_view bytes);

} // namespace scratchpage
