#include "scratchpage/runtime/server/rest.hpp"

#include <map>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_view.hpp"
#include "scratchpage/runtime/api/operation_schemas.hpp"
#include "scratchpage/runtime/api/query_arguments.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"
#include "scratchpage/runtime/net/http/target.hpp"
#include "scratchpage/runtime/server/route.hpp"

namespace scratchpage::serve {

namespace {

constexpr json_limits body_limits{4u << 20, 32};

http::response no_such_path() {
  return error_response(fail(errc::not_found, "path", "there is no such path; see /openapi.json"));
}

http::response not_allowed(const route_match& there) {
  std::string allowed;
  for (auto method : there.methods)
    allowed.append(allowed.empty() ? "" : ", ").append(method);
  auto result = error_response(fail(errc::invalid_request, "method", "expected " + allowed));
  result.status = 405;
  result.headers.push_back({"allow", std::move(allowed)});
  return result;
}

bool is_json(std::string_view content_type) {
  auto end = content_type.find(';');
  auto type = content_type.substr(0, end);
  while (type.ends_with(' '))
    type.remove_suffix(1);
  return type == "application/json"
         || (type.starts_with("application/") && type.ends_with("+json"));
}

http::response unknown_content() {
  auto result =
    error_response(fail(errc::invalid_request, "content-type", "expected application/json"));
  result.status = 415;
  return result;
}

caf::expected<json::object> arguments_of_body(const std::string& body) {
  if (body.empty())
    return json::object{};
  auto value = parse_json(body, body_limits);
  if (!value)
    return fail(errc::invalid_request, "body", "expected JSON: " + describe(value.error()));
  if (!value->is_object())
    return fail(errc::invalid_request, "body", "expected an object");
  return std::move(value->get_object());
}

/// The arguments that a query string may have, as one object.
json::object flat_schema_of(const route& of) {
  auto whole = schema_of_operation(of.operation).arguments;
  auto& members = whole["properties"].get_object();
  for (auto name : parameters_of(of))
    members.erase(view(name));
  if (of.operation != "query_observations")
    return whole;
  auto filter = std::move(members["metadata"].get_object()["properties"].get_object());
  members.erase("metadata");
  for (auto& x : filter)
    members[x.key()] = std::move(x.value());
  return whole;
}

/// A text and a filter, in which the filter's members stand by themselves.
json::object nested(json::object flat) {
  json::object result;
  for (const auto* name : {"query", "deadline_ms"}) {
    if (auto* x = flat.if_contains(name)) {
      result[name] = std::move(*x);
      flat.erase(name);
    }
  }
  result["metadata"] = std::move(flat);
  return result;
}

caf::expected<json::object> arguments_of_target(
  const http::request& x, const std::string& operation) {
  auto query = http::parse_query(x.query);
  if (!query)
    return query.error();
  auto flat = arguments_of_query(*query, query_schema_of(operation));
  if (!flat || operation != "query_observations")
    return flat;
  return nested(std::move(*flat));
}

/// What is not asked for is not passed over in silence.
caf::error refuse_others(const http::request& x, const route& to) {
  if (to.from != arguments_in::query) {
    auto query = http::parse_query(x.query);
    if (!query)
      return query.error();
    if (!query->empty())
      return unknown_parameter(query->front().first);
  }
  if (to.from != arguments_in::body) {
    auto none = arguments_of_body(x.body);
    if (!none || !none->empty())
      return fail(errc::invalid_request, "body", "expected none");
  }
  return {};
}

caf::expected<json::object> arguments_of(const http::request& x, const route& to) {
  if (auto err = refuse_others(x, to))
    return err;
  if (to.from == arguments_in::body)
    return arguments_of_body(x.body);
  if (to.from == arguments_in::query)
    return arguments_of_target(x, std::string{to.operation});
  return json::object{};
}

/// What a path says, nothing else may say.
caf::error put_parameters(const route_match& from, rest_call& to) {
  for (const auto& [name, text] : from.parameters) {
    if (text.empty())
      return fail(errc::invalid_request, name, "expected it between the slashes");
    if (name == "agent")
      to.agent_id = text;
    else if (name == "thread")
      to.thread_id = text;
    else if (!to.arguments.emplace(view(name), view(text)).second)
      return fail(errc::invalid_request, name, "expected it in the path alone");
  }
  return {};
}

std::string name_in_request(const rest_call& to, std::string field) {
  constexpr std::string_view filter = "metadata.";
  if (to.from_query && field.starts_with(filter))
    return field.substr(filter.size());
  if (!to.thread_id.empty() && field == "thread_id")
    return "thread";
  return field;
}

} // namespace

const json::object& query_schema_of(std::string_view operation) {
  static const auto all = [] {
    std::map<std::string_view, json::object> result;
    for (const auto& x : all_routes())
      if (x.from == arguments_in::query)
        result.emplace(x.operation, flat_schema_of(x));
    return result;
  }();
  return all.at(operation);
}

std::variant<rest_call, http::response> read_rest(const http::request& x) {
  auto segments = http::path_segments(x.path);
  if (!segments)
    return error_response(segments.error());
  auto at = match_route(x.method, *segments);
  if (at.methods.empty())
    return no_such_path();
  if (at.found == nullptr)
    return not_allowed(at);
  if (const auto* type = x.header("content-type"); type != nullptr && !x.body.empty())
    if (!is_json(*type))
      return unknown_content();
  rest_call result;
  result.operation = at.found->operation;
  result.status = at.found->status;
  result.from_query = at.found->from == arguments_in::query;
  auto arguments = arguments_of(x, *at.found);
  if (!arguments)
    return error_response(arguments.error());
  result.arguments = std::move(*arguments);
  if (auto err = put_parameters(at, result))
    return error_response(err);
  return result;
}

http::response rest_refusal(const rest_call& to, const caf::error& why) {
  auto field = field_of(why);
  auto named = name_in_request(to, field);
  if (named == field)
    return error_response(why);
  // Whoever names a field says what was expected of it.
  return error_response(fail(code_of(why), named, why.context().get_as<std::string>(1)));
}

http::response rest_answer(const rest_call& to, std::string result) {
  if (to.status == 204)
    return {204, {}, {}};
  if (result == "null")
    return error_response(fail(errc::not_found, "observation_id", "there is no such observation"));
  return json_text_response(to.status, std::move(result));
}

} // namespace scratchpage::serve
