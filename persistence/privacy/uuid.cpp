#include "scratchpage/persistence/privacy/uuid.hpp"

namespace scratchpage {

text_ranges find_uuids(std::string_view text) {
  static const text_pattern pattern{"\\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\b"};
  text_ranges result;
  for (auto x = pattern.next(text, 0); x.length > 0; x = pattern.next(text, x.end()))
    result.push_back(x);
  return result;
}

} // namespace scratchpage
