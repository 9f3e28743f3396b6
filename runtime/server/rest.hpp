#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::server {

using scratchpage::arguments_in;

/// A route with its operation.
struct route : rest_route {
  std::string_view operation;
  const scratchpage::operation* of = nullptr;
};

/// All routes, in the order of the operations. Requests are answered, and the OpenAPI document is
/// made, from this list.
const std::vector<route>& all_routes();

/// The result of matching a path.
struct route_match {
  const route* found = nullptr; ///< null: the path does not have this method
  std::map<std::string, std::string, std::less<>> parameters;
  std::vector<std::string_view> methods; ///< of the path; empty: there is no such path
};

/// Finds the route of a path, which is given as `http::path_segments`. HEAD is the same as GET. If
/// a path matches several routes, a name comes before a parameter.
route_match match_route(std::string_view method, const std::vector<std::string>& segments);

/// The names in braces in the route's path, in their order.
std::vector<std::string_view> parameters_of(const route& x);

/// Refuses a body that is not plain UTF-8: 415 about `content-encoding` if it is compressed, about
/// `content-type` if that names another charset or is repeated. Nothing if the body is fine or
/// empty.
std::optional<http::response> refuse_content(const http::request& x);

/// Refuses a body of a request that takes none: 415 as a body of REST, or 400 about `body`. Nothing
/// if there is none, or an empty object.
std::optional<http::response> refuse_body(const http::request& x);

/// A request as a call of an operation.
struct rest_call {
  std::string agent_id;
  std::string thread_id; ///< "": the route has none
  std::string operation;
  json::object arguments;
  uint32_t status = 200; ///< of the answer if the operation succeeds
};

/// Reads a request under `/v1/`, whose path has these segments. The response is an error: 404 about
/// `path`, 405 with `Allow`, 415, or 400 about the argument that is wrong.
std::variant<rest_call, http::response> read_rest(
  const http::request& x, const std::vector<std::string>& segments);

/// As above; an invalid path is an error, too.
std::variant<rest_call, http::response> read_rest(const http::request& x);

/// The response for a call's result, which is JSON. A result of null gives 404, or 204 if the route
/// says so.
http::response rest_answer(const rest_call& to, std::string result);

/// The response for a call that was refused. The field is named as in the request: `thread_id` is
/// `thread`.
http::response rest_refusal(const rest_call& to, const caf::error& why);

/// The schema of the parameters of a route with a query string, as one object.
const json::object& query_schema_of(const route& x);

/// The paths of `service` that are no routes of REST, as in an OpenAPI document, without the
/// parameters that come from schemas.
json::object service_paths();

/// The OpenAPI 3.1 document of the server (https://spec.openapis.org/oas/v3.1.0).
json::object openapi_document();

} // namespace scratchpage::server
