#include "scratchpage/messages/request_key.hpp"

#include <algorithm>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

caf::error check_request_key(std::string_view key) {
  auto is_visible = [](char c) { return c > ' ' && c <= '~'; };
  if (!key.empty() && key.size() <= max_request_key && std::all_of(key.begin(), key.end(), is_visible))
    return {};
  return fail(errc::invalid_request, "request_key",
    "expected 1 to " + std::to_string(max_request_key)
      + " visible ASCII characters, such as a UUID");
}

} // namespace scratchpage
