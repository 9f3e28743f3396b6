#pragma once

#include <string_view>

#include "scratchpage/messages/json/json_view.hpp"

namespace scratchpage::mcp_client {

/// A member's text, as long as `x` lives; "" if it has none.
inline std::string_view text_of(const json::object& x, std::string_view member) {
  const auto* value = x.if_contains(view(member));
  if (value == nullptr || !value->is_string())
    return {};
  return {value->get_string().data(), value->get_string().size()};
}

/// A member that is an object, or null.
inline const json::object* object_in(const json::object& x, std::string_view member) {
  const auto* value = x.if_contains(view(member));
  return value != nullptr ? value->if_object() : nullptr;
}

} // namespace scratchpage::mcp_client
