#pragma once

#include <string_view>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// What an operation is called, does and takes (contract 3), for whoever offers it:
/// MCP's tools, OpenAPI, help. OPERATIONS make them (operations.hpp).
struct operation {
  /// The role that an operation takes at least. It has no default, so that nobody adds an
  /// operation without a decision on who may call it.
  struct least_role {
    role value;
    constexpr least_role(role x) // NOLINT: a role is one
      : value{x} {}
  };

  std::string_view name;
  std::string_view description; ///< for a model, a few words
  std::string_view inputs;      ///< JSON Schema of the arguments: what a model needs of them
  least_role least;        ///< who may call it at all; what they may touch is the actors' to say
  bool changes = false;    ///< something; else it only reads
  bool idempotent = false; ///< the same call again changes nothing more

  json::object input_schema() const;
};

/// All of them, in the order in which they are told of.
const std::vector<operation>& all_operations();

/// Their names, in the same order.
std::vector<std::string_view> operation_names();

/// The one of that name; null: there is none.
const operation* find_operation(std::string_view name);

/// Whether it changes something; one that is not known does not.
bool changes_something(std::string_view name);

} // namespace scratchpage
