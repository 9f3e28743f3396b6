#include "scratchpage/runtime/server/route.hpp"

#include <algorithm>

namespace scratchpage::serve {

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

/// A route whose path is in pieces.
struct known_route {
  const route* what;
  std::vector<std::string_view> pieces;
};

const std::vector<known_route>& known_routes() {
  static const auto all = [] {
    std::vector<known_route> result;
    result.reserve(all_routes().size());
    for (const auto& x : all_routes())
      result.push_back({&x, pieces_of(x.path)});
    return result;
  }();
  return all;
}

bool fits(const known_route& x, const std::vector<std::string>& segments) {
  if (x.pieces.size() != segments.size())
    return false;
  for (size_t i = 0; i < segments.size(); ++i)
    if (!is_parameter(x.pieces[i]) && x.pieces[i] != segments[i])
      return false;
  return true;
}

parameters read_parameters(const known_route& x, const std::vector<std::string>& segments) {
  parameters result;
  for (size_t i = 0; i < segments.size(); ++i)
    if (is_parameter(x.pieces[i]))
      result.emplace(name_of(x.pieces[i]), segments[i]);
  return result;
}

} // namespace

const std::vector<route>& all_routes() {
  using enum arguments_in;
  // A path of names alone stands before one with parameters that it fits, too.
  static const std::vector<route> all{
    {"GET", "/v1/agents/{agent}/observations", "query_observations", query},
    {"POST", "/v1/agents/{agent}/observations", "add_observation", body, 201},
    {"POST", "/v1/agents/{agent}/observations/batch", "add_observations", body},
    {"POST", "/v1/agents/{agent}/observations/query", "query_observations", body},
    {"POST", "/v1/agents/{agent}/observations/clear_resolved", "clear_resolved", body, 204},
    {"GET", "/v1/agents/{agent}/observations/active", "get_active_observations", query},
    {"GET", "/v1/agents/{agent}/observations/{observation_id}", "get_observation"},
    {"PATCH", "/v1/agents/{agent}/observations/{observation_id}", "update_observation", body},
    {"DELETE", "/v1/agents/{agent}/observations/{observation_id}", "archive_observation", nothing,
      204},
    {"GET", "/v1/agents/{agent}/archive", "list_archive", query},
    {"GET", "/v1/agents/{agent}/stats", "page_stats"},
    {"GET", "/v1/agents/{agent}/subscribers", "subscribers_list"},
    {"POST", "/v1/agents/{agent}/types", "register_type", body, 204},
    {"GET", "/v1/agents/{agent}/turns", "turns_list", query},
    {"POST", "/v1/agents/{agent}/turns", "begin_turn", body},
    {"GET", "/v1/agents/{agent}/turns/{turn_id}", "await_turn"},
    {"POST", "/v1/agents/{agent}/turns/{turn_id}/end", "end_turn"},
    {"GET", "/v1/agents/{agent}/turns/{turn_id}/trace", "turn_trace", query},
    {"GET", "/v1/agents/{agent}/goals", "goals_list", query},
    {"GET", "/v1/agents/{agent}/goals/{goal_id}", "goal_get"},
    {"PATCH", "/v1/agents/{agent}/goals/{goal_id}", "goal_update", body},
    {"POST", "/v1/agents/{agent}/goals/{goal_id}/actions/{action_id}/complete", "action_complete"},
    {"POST", "/v1/agents/{agent}/goals/{goal_id}/actions/{action_id}/refuse", "action_refuse"},
    {"GET", "/v1/agents/{agent}/context", "assemble_context", query},
    {"POST", "/v1/agents/{agent}/context", "assemble_context", body},
    {"GET", "/v1/agents/{agent}/threads/{thread}/scratchbook", "scratch_read", query},
    {"GET", "/v1/agents/{agent}/threads/{thread}/items", "scratch_list"},
    {"POST", "/v1/agents/{agent}/threads/{thread}/items", "scratch_add", body, 201},
    {"PATCH", "/v1/agents/{agent}/threads/{thread}/items/{id}", "scratch_update", body},
    {"POST", "/v1/agents/{agent}/threads/{thread}/items/{id}/complete", "scratch_complete"},
    {"POST", "/v1/agents/{agent}/threads/{thread}/items/{id}/pin", "scratch_pin"},
    {"POST", "/v1/agents/{agent}/threads/{thread}/items/{id}/unpin", "scratch_unpin"},
  };
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

} // namespace scratchpage::serve
