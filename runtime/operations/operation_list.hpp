#pragma once

#include <string_view>
#include <vector>

#include "scratchpage/messages/json.hpp"

namespace scratchpage {

/// What an operation is called, does and takes (contract 3), for whoever offers it:
/// MCP's tools, OpenAPI, help. OPERATIONS make them (operations.hpp).
struct operation {
  std::string_view name;
  std::string_view description; ///< for a model, a few words
  std::string_view inputs;      ///< JSON Schema of the arguments: what a model needs of them
  bool changes = false;         ///< something; else it only reads
  bool idempotent = false;      ///< the same call again changes nothing more

  json::object input_schema() const;
};

/// All of them, in the order in which they are told of.
const std::vector<operation>& all_operations();

} // namespace scratchpage
