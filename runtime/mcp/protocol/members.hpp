#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json_view.hpp"

/// Members of JSON objects that may not be there, or be something else.

namespace scratchpage::mcp {

inline std::string text_of(const json::value& x) {
  return std::string{std::string_view{x.get_string().data(), x.get_string().size()}};
}

/// Null if there is none.
inline const json::value* member(const json::object& of, std::string_view name) {
  return of.if_contains(view(name));
}

/// Null if there is none or it is no object.
inline const json::object* object_in(const json::object& of, std::string_view name) {
  const auto* x = member(of, name);
  return x != nullptr ? x->if_object() : nullptr;
}

/// Nothing if there is none or it is no text.
inline std::optional<std::string> text_in(const json::object& of, std::string_view name) {
  const auto* x = member(of, name);
  if (x == nullptr || !x->is_string())
    return std::nullopt;
  return text_of(*x);
}

} // namespace scratchpage::mcp
