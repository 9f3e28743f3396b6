#pragma once

#include <string>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/tests/runtime/server/described_operation.hpp"
#include "scratchpage/tests/runtime/server/schema_values.hpp"

namespace scratchpage::test {

/// A body in which one thing is other than usual; whether it is wrong, the schema says.
struct odd_body {
  json::value body;
  std::string at;     ///< its path, "metadata.tags[0]"
  std::string parent; ///< that an error may name in its stead; "": none
};

/// At each place that the schema of a body has, however deep: every JSON type, numbers
/// and texts at and beyond all bounds, a member that nobody knows, one that is missing.
/// `usual` is a body that is taken.
std::vector<odd_body> odd_bodies(
  const json::object& schema, const json::value& usual, schema_values& values);

/// Bodies that are no JSON, or not of an object.
std::vector<std::string> unreadable_bodies();

struct odd_query {
  std::string text; ///< "limit=x"
  std::string name; ///< of the parameter that is odd
  bool is_wrong = false;
};

/// The same of the parameters in a query string.
std::vector<odd_query> odd_queries(const described_operation& x);

/// Whether an error's `field` means what is at a path: the path itself, something in it,
/// or the list that it is an element of; from the beginning or from one of its members
/// on. "" is everything.
bool names(std::string_view field, const std::string& path);

} // namespace scratchpage::test
