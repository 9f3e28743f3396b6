#pragma once

#include <string>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::test {

struct described_parameter {
  std::string name;
  std::string in; ///< "path", "query" or "header"
  json::object schema;
};

/// An operation as an OpenAPI document has it.
struct described_operation {
  std::string id;
  std::string method; ///< in capitals
  std::string path;   ///< with names in braces
  std::vector<described_parameter> parameters;
  json::object body; ///< its schema; empty: there is none
  json::object responses;
};

std::vector<described_operation> operations_of(const json::value& document);

/// Whether a path, as it is sent, is one of the template's.
bool fits(const std::string& path_template, const std::string& path);

} // namespace scratchpage::test
