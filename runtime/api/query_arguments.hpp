#pragma once

#include <string_view>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/net/http/target.hpp"

namespace scratchpage::serve {

/// About a parameter that nobody asks for; one without a name is `query`.
caf::error unknown_parameter(std::string_view name);

/// A query string's parameters as an operation's arguments. What each is, `schema`
/// says: numbers and booleans are written as in JSON, a list is a parameter that is
/// there again or has one value, `context.goal_id=trip` is a member of `context`.
/// Errors: `invalid_request` about a parameter that is not in the schema, is there
/// twice and no list, or not what it should be.
caf::expected<json::object> arguments_of_query(
  const http::query_parameters& query, const json::object& schema);

} // namespace scratchpage::serve
