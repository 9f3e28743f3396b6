#pragma once

#include <string_view>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

namespace scratchpage::test {

/// The complete JSON schemas of an operation.
struct operation_schema {
  json::object arguments; ///< without unknown members
  json::object result;    ///< empty: null
};

/// Both are empty if there is no such operation.
inline operation_schema schema_of_operation(std::string_view operation) {
  const auto* found = find_operation(operation);
  if (found == nullptr)
    return {};
  return {found->performed.takes.schema(nullptr), found->performed.gives(nullptr)};
}

} // namespace scratchpage::test
