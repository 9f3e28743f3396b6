#include "scratchpage/runtime/server/rest.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"
#include "scratchpage/runtime/net/http/message.hpp"
#include "scratchpage/runtime/net/http/target.hpp"

namespace scratchpage::server {

namespace {

std::vector<std::string_view> pieces_of(std::string_view path) {
  std::vector<std::string_view> result;
  for (size_t begin = 1; begin <= path.size();) {
    auto end = std::min(path.find('/', begin), path.size());
    result.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

bool is_parameter(std::string_view piece) {
  return piece.starts_with('{');
}

std::string_view name_of(std::string_view piece) {
  return piece.substr(1, piece.size() - 2);
}

using parameters = std::map<std::string, std::string, std::less<>>;

/// A route with the pieces of its path.
struct known_route {
  const route* what;
  std::vector<std::string_view> pieces;
};

/// The order of the methods of one path.
size_t rank_of(std::string_view method) {
  constexpr std::array<std::string_view, 4> order{"GET", "POST", "PATCH", "DELETE"};
  return static_cast<size_t>(std::ranges::find(order, method) - order.begin());
}

/// Whether `a` is tried before `b`. Paths with names come before paths with parameters.
bool comes_before(const known_route& a, const known_route& b) {
  if (a.pieces == b.pieces)
    return rank_of(a.what->method) < rank_of(b.what->method);
  return std::ranges::lexicographical_compare(
    a.pieces, b.pieces, [](std::string_view x, std::string_view y) {
      return is_parameter(x) == is_parameter(y) ? x < y : is_parameter(y);
    });
}

const std::vector<known_route>& known_routes() {
  static const auto all = [] {
    std::vector<known_route> result;
    result.reserve(all_routes().size());
    for (const auto& x : all_routes())
      result.push_back({&x, pieces_of(x.path)});
    std::ranges::stable_sort(result, comes_before);
    return result;
  }();
  return all;
}

/// Compares from the end, because most paths begin alike.
bool fits(const known_route& x, const std::vector<std::string>& segments) {
  auto is_same = [](std::string_view piece, const std::string& segment) {
    return is_parameter(piece) || piece == segment;
  };
  return x.pieces.size() == segments.size()
         && std::equal(x.pieces.rbegin(), x.pieces.rend(), segments.rbegin(), is_same);
}

parameters read_parameters(const known_route& x, const std::vector<std::string>& segments) {
  parameters result;
  for (size_t i = 0; i < segments.size(); ++i)
    if (is_parameter(x.pieces[i]))
      result.emplace(name_of(x.pieces[i]), segments[i]);
  return result;
}

bool is_utf8(std::string_view charset) {
  if (charset.size() > 1 && charset.front() == '"' && charset.back() == '"')
    charset = charset.substr(1, charset.size() - 2);
  return http::is_same_name(charset, "utf-8") || http::is_same_name(charset, "utf8")
         || http::is_same_name(charset, "us-ascii");
}

/// Whether a content type names no charset, or a compatible one.
bool has_utf8_charset(std::string_view type) {
  for (auto end = type.find(';'); end != std::string_view::npos; end = type.find(';')) {
    type.remove_prefix(end + 1);
    auto parameter = http::without_blanks(type.substr(0, type.find(';')));
    auto mark = std::min(parameter.find('='), parameter.size());
    if (http::is_same_name(http::without_blanks(parameter.substr(0, mark)), "charset"))
      if (!is_utf8(http::without_blanks(parameter.substr(std::min(mark + 1, parameter.size())))))
        return false;
  }
  return true;
}

http::response refusal(std::string_view header, std::string_view expected) {
  auto result = http::error_response(fail(errc::invalid_request, header, expected));
  result.status = 415;
  return result;
}

constexpr json_limits body_limits{4u << 20, 32};

http::response no_such_path() {
  return http::error_response(
    fail(errc::not_found, "path", "there is no such path; see /openapi.json"));
}

http::response not_allowed(const route_match& there) {
  std::string allowed;
  for (auto method : there.methods)
    allowed.append(allowed.empty() ? "" : ", ").append(method);
  auto result = http::error_response(fail(errc::invalid_request, "method", "expected " + allowed));
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
    http::error_response(fail(errc::invalid_request, "content-type", "expected application/json"));
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

/// The schema of the arguments that a query string may have, as one object.
json::object make_query_schema(const route& x) {
  auto whole = x.of->performed.takes.schema(nullptr);
  auto& members = whole["properties"].get_object();
  for (auto name : parameters_of(x))
    members.erase(view(name));
  return whole;
}

caf::expected<json::object> arguments_of_target(const http::request& x, const route& to) {
  auto query = http::parse_query(x.query);
  if (!query)
    return query.error();
  return arguments_of_query(*query, query_schema_of(to));
}

/// Refuses a query string or a body that the route does not have.
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
    return arguments_of_target(x, to);
  return json::object{};
}

/// Adds the parameters of the path, which must not be among the other arguments.
caf::error put_parameters(const route_match& from, rest_call& to) {
  for (const auto& [name, text] : from.parameters) {
    if (text.empty())
      return fail(errc::invalid_request, name, "expected a value between the slashes");
    if (name == "agent")
      to.agent_id = text;
    else if (name == "thread")
      to.thread_id = text;
    else if (!to.arguments.emplace(view(name), view(text)).second)
      return fail(errc::invalid_request, name, "expected it only in the path");
  }
  return {};
}

std::string name_in_request(const rest_call& to, std::string field) {
  if (!to.thread_id.empty() && field == "thread_id")
    return "thread";
  return field;
}

} // namespace

const std::vector<route>& all_routes() {
  static const auto all = [] {
    std::vector<route> result;
    for (const auto& x : all_operations())
      for (const auto& one : x.routes)
        result.push_back({one, x.name, &x});
    return result;
  }();
  return all;
}

route_match match_route(std::string_view method, const std::vector<std::string>& segments) {
  auto wanted = method == "HEAD" ? "GET" : method;
  route_match result;
  for (const auto& x : known_routes()) {
    if (!fits(x, segments))
      continue;
    result.methods.push_back(x.what->method);
    if (result.found == nullptr && x.what->method == wanted) {
      result.found = x.what;
      result.parameters = read_parameters(x, segments);
    }
  }
  return result;
}

std::vector<std::string_view> parameters_of(const route& x) {
  std::vector<std::string_view> result;
  for (auto piece : pieces_of(x.path))
    if (is_parameter(piece))
      result.push_back(name_of(piece));
  return result;
}

std::optional<http::response> refuse_content(const http::request& x) {
  if (x.body.empty())
    return std::nullopt;
  auto types = 0;
  for (const auto& each : x.headers) {
    if (each.name == "content-encoding"
        && !http::is_same_name(http::without_blanks(each.value), "identity")) {
      auto result = refusal(each.name, "expected a body that is not compressed");
      result.headers.push_back({"accept-encoding", "identity"});
      return result;
    }
    if (each.name == "content-type" && (++types > 1 || !has_utf8_charset(each.value)))
      return refusal(each.name, "expected one content type, in UTF-8");
  }
  return std::nullopt;
}

std::optional<http::response> refuse_body(const http::request& x) {
  if (x.body.empty())
    return std::nullopt;
  if (auto refused = refuse_content(x))
    return refused;
  if (const auto* type = x.header("content-type"); type != nullptr && !is_json(*type))
    return unknown_content();
  auto none = arguments_of_body(x.body);
  if (none && none->empty())
    return std::nullopt;
  return http::error_response(fail(errc::invalid_request, "body", "expected none"));
}

const json::object& query_schema_of(const route& x) {
  static const auto all = [] {
    std::map<const route*, json::object> result;
    for (const auto& one : all_routes())
      if (one.from == arguments_in::query)
        result.emplace(&one, make_query_schema(one));
    return result;
  }();
  return all.at(&x);
}

std::variant<rest_call, http::response> read_rest(const http::request& x) {
  auto segments = http::path_segments(x.path);
  if (!segments)
    return http::error_response(segments.error());
  return read_rest(x, *segments);
}

std::variant<rest_call, http::response> read_rest(
  const http::request& x, const std::vector<std::string>& segments) {
  auto at = match_route(x.method, segments);
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
  auto arguments = arguments_of(x, *at.found);
  if (!arguments)
    return http::error_response(arguments.error());
  result.arguments = std::move(*arguments);
  if (auto err = put_parameters(at, result))
    return http::error_response(err);
  return result;
}

http::response rest_refusal(const rest_call& to, const caf::error& why) {
  auto field = field_of(why);
  auto named = name_in_request(to, field);
  if (named == field)
    return http::error_response(why);
  // An error with a field always has the expectation as its second element.
  return http::error_response(fail(code_of(why), named, why.context().get_as<std::string>(1)));
}

http::response rest_answer(const rest_call& to, std::string result) {
  if (to.status == 204)
    return {204, {}, {}};
  if (result == "null")
    return http::error_response(
      fail(errc::not_found, "observation_id", "there is no such observation"));
  return http::json_text_response(to.status, std::move(result));
}

} // namespace scratchpage::server
