#pragma once

#include <string>

#include <caf/error.hpp>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// Checks a tool's inputs against the schema in its manifest (contract 6). It checks these keywords
/// of JSON Schema: `type` (one or a list), `required`, `properties`, `additionalProperties` (true,
/// false or a schema), `enum`, `minimum`, `maximum` and `items` (one schema). Other keywords are
/// ignored, as the standard requires.
class input_schema {
public:
  /// An empty schema accepts everything.
  explicit input_schema(json::object schema)
    : schema_{std::move(schema)} {}

  /// Whether the schema itself is well formed. The error names the path, which begins with
  /// `inputs`.
  caf::error validate() const;

  /// Whether `inputs` match the schema. The error, `invalid_request`, is about the first problem
  /// and names its path, which begins with `inputs`. For a property that is not required, null
  /// means that it is absent.
  caf::error check(const json::object& inputs) const;

private:
  json::object schema_;
};

} // namespace scratchpage
