#include "scratchpage/runtime/mcp/server/trace_uri.hpp"

#include <utility>

namespace scratchpage::mcp {

namespace {

constexpr std::string_view before = "scratchpage://turns/";
constexpr std::string_view after = "/trace";
constexpr std::string_view before_cursor = "?cursor=";

} // namespace

json::object trace_uri::arguments() const {
  json::object result{{"turn_id", turn_id}};
  if (!cursor.empty())
    result["cursor"] = cursor;
  return result;
}

std::optional<trace_uri> read_trace_uri(std::string_view address) {
  if (!address.starts_with(before))
    return std::nullopt;
  address.remove_prefix(before.size());
  trace_uri result;
  if (auto at = address.find(before_cursor); at != std::string_view::npos) {
    result.cursor = address.substr(at + before_cursor.size());
    address = address.substr(0, at);
  }
  if (!address.ends_with(after) || address.size() == after.size())
    return std::nullopt;
  result.turn_id = address.substr(0, address.size() - after.size());
  return result;
}

} // namespace scratchpage::mcp
