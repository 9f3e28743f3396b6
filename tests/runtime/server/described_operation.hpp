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
  bool is_required = false;
};

/// An operation of an OpenAPI document.
struct described_operation {
  std::string id;
  std::string method; ///< in upper case
  std::string path;   ///< a template with names in braces
  std::vector<described_parameter> parameters;
  json::object body; ///< the body's schema without references; empty: no body
  json::object responses;
};

std::vector<described_operation> operations_of(const json::value& document);

/// Whether the path of a request matches the template.
bool fits(const std::string& path_template, const std::string& path);

} // namespace scratchpage::test
