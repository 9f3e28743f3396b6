#pragma once

#include <string>

#include <caf/error.hpp>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// Checks a tool's inputs against its manifest (contract 6). Understands these
/// words of JSON Schema: `type` (one or a list), `required`, `properties`,
/// `additionalProperties` (true, false or a schema), `enum`, `minimum`,
/// `maximum` and `items` (one schema). Any other word is ignored, as the
/// standard asks.
class input_schema {
public:
  /// An empty schema accepts everything.
  explicit input_schema(json::object schema)
    : schema_{std::move(schema)} {}

  /// Whether the schema itself is well formed; the error names the path, which
  /// begins with `inputs`.
  caf::error validate() const;

  /// The first thing that is wrong with `inputs`, as `invalid_request` with its
  /// path, which begins with `inputs`. A null is as good as nothing where a
  /// property is not required.
  caf::error check(const json::object& inputs) const;

private:
  json::object schema_;
};

} // namespace scratchpage
