#pragma once

#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage::test {

/// Checks values against JSON Schema (2020-12), as far as this project's documents use
/// it: `$ref` within the document, `type`, `const`, `enum`, `anyOf`, `oneOf`, `minimum`,
/// `maximum`, `minLength`, `maxLength`, `pattern`, `format` date-time, `properties`,
/// `required`, `additionalProperties`, `items`. A test fails at any other keyword, so that
/// every constraint of a schema is checked.
class json_schema_check {
public:
  enum class nulls {
    values, ///< null is a value, as in the standard
    absent, ///< null counts as a missing member
  };

  explicit json_schema_check(const json::value& document, nulls are = nulls::values)
    : document_{document},
      nulls_{are} {}

  /// The first violation with its place, as "a.b[1]: …"; "" if there is none.
  std::string violation(const json::value& schema, const json::value& x) const {
    return check(schema.as_object(), x, "");
  }

private:
  std::string check(const json::object& schema, const json::value& x, const std::string& at) const;
  std::string check_number(
    const json::object& schema, const json::value& x, const std::string& at) const;
  std::string check_text(
    const json::object& schema, const std::string& x, const std::string& at) const;
  std::string check_object(
    const json::object& schema, const json::object& x, const std::string& at) const;
  std::string check_member(const json::object& schema, json::string_view name, const json::value& x,
    const std::string& at) const;
  std::string check_choices(
    const json::object& schema, const json::value& x, const std::string& at) const;
  bool has(const json::object& x, json::string_view name) const;

  const json::value& document_;
  nulls nulls_;
};

} // namespace scratchpage::test
