#include "scratchpage/messages/request_key.hpp"

#include <algorithm>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

caf::error check_request_key(std::string_view key) {
  auto is_visible = [](char c) { return c > ' ' && c <= '~'; };
  if (!key.empty() && key.size() <= request_key_limits::characters
      && std::all_of(key.begin(), key.end(), is_visible))
    return {};
  return fail(errc::invalid_request, "request_key",
    "expected 1 to " + std::to_string(request_key_limits::characters)
      + " visible ASCII characters, such as a UUID");
}

} // namespace scratchpage
