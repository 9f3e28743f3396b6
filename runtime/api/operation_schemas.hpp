#pragma once

#include <string_view>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// What an operation takes and gives, whole, in JSON Schema (2020-12). What models
/// are told is shorter (operation_list.hpp).
struct operation_schema {
  json::object arguments; ///< of an object; no other members may be there
  json::object result;    ///< empty: null
};

/// Of any of `all_operations()`; else both are empty.
operation_schema schema_of_operation(std::string_view operation);

/// An error, wherever one is told of in JSON.
json::object schema_of_error();

} // namespace scratchpage
