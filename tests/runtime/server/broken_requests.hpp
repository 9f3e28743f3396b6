#pragma once

#include <string>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/tests/runtime/server/described_operation.hpp"
#include "scratchpage/tests/runtime/server/schema_values.hpp"

namespace scratchpage::test {

/// A body with one unusual part. The schema decides whether it is wrong.
struct odd_body {
  json::value body;
  std::string at;     ///< the path of the part, as "metadata.tags[0]"
  std::string parent; ///< a parent that an error may name instead, or ""
};

/// Unusual bodies for each place in a body's schema, at any depth: every JSON type, numbers
/// and texts at and beyond all limits, an unknown member, a missing member.
/// `usual` is a valid body.
std::vector<odd_body> odd_bodies(
  const json::object& schema, const json::value& usual, schema_values& values);

/// Bodies that are not JSON, or not an object.
std::vector<std::string> unreadable_bodies();

struct odd_query {
  std::string text; ///< "limit=x"
  std::string name; ///< name of the unusual parameter
  bool is_wrong = false;
};

/// Unusual values of the parameters in a query string.
std::vector<odd_query> odd_queries(const described_operation& x);

/// Whether an error's `field` names the part at a path: the path itself, a part of it, or the
/// list that it is an element of; with or without the first members of the path. "" names
/// every part.
bool names(std::string_view field, const std::string& path);

} // namespace scratchpage::test
