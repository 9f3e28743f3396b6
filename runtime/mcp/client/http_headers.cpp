#include "scratchpage/runtime/mcp/client/http_headers.hpp"

#include <algorithm>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/client/members.hpp"

namespace scratchpage::mcp_client {

namespace {

/// The text at the end of a path of members, "" if there is none.
template <class... Members>
std::string text_at(const json::object& x, const char* first, Members... rest) {
  const auto* value = x.if_contains(first);
  if (value == nullptr)
    return {};
  if constexpr (sizeof...(rest) == 0)
    return value->is_string() ? std::string{value->get_string()} : std::string{};
  else
    return value->is_object() ? text_at(value->get_object(), rest...) : std::string{};
}

/// Those whose headers can be: a name from elsewhere must not end a line of the head.
json::array possible(const json::array& tools) {
  json::array result;
  for (const auto& x : tools) {
    const auto* tool = x.if_object();
    const auto* schema = tool != nullptr ? object_in(*tool, "inputSchema") : nullptr;
    if (schema != nullptr && !mcp::wrong_header(*schema))
      result.push_back(x);
  }
  return result;
}

constexpr size_t most_tools = 1'000; // whose arguments are known

bool is_visible(char c) {
  return c > 0x20 && c < 0x7f;
}

} // namespace

std::vector<std::pair<std::string, std::string>> http_headers::of(
  const std::map<std::string, std::string>& own, const json::object* message) {
  std::vector<std::pair<std::string, std::string>> result{own.begin(), own.end()};
  result.emplace_back(
    "Accept", message != nullptr ? "application/json, text/event-stream" : "text/event-stream");
  result.emplace_back("User-Agent", "scratchpage");
  if (message == nullptr) {
    if (!version_.empty())
      result.emplace_back("MCP-Protocol-Version", version_);
  } else {
    result.emplace_back("Content-Type", "application/json");
    auto modern = text_at(*message, "params", "_meta", "io.modelcontextprotocol/protocolVersion");
    modern_ = modern_ || !modern.empty();
    if (const auto& version = modern.empty() ? version_ : modern; !version.empty())
      result.emplace_back("MCP-Protocol-Version", version);
    if (!modern.empty()) {
      result.emplace_back("Mcp-Method", text_at(*message, "method"));
      if (auto name = text_at(*message, "params", "name"); !name.empty())
        result.emplace_back("Mcp-Name", mcp::encoded(std::move(name)));
      mirror(*message, result);
    }
  }
  if (!session_.empty())
    result.emplace_back("Mcp-Session-Id", session_);
  return result;
}

void http_headers::mirror(
  const json::object& call, std::vector<std::pair<std::string, std::string>>& to) const {
  auto tool = text_at(call, "method") == "tools/call"
                ? mirrored_.find(text_at(call, "params", "name"))
                : mirrored_.end();
  if (tool == mirrored_.end())
    return;
  for (auto& x : mcp::headers_of(tool->second, object_in(*object_in(call, "params"), "arguments")))
    to.push_back(std::move(x));
}

void http_headers::learn_from(std::string_view message, size_t max_bytes) {
  auto may_say_revision = !modern_ && version_.empty();
  auto may_want_arguments = message.find("x-mcp-header") != std::string_view::npos;
  if (!may_say_revision && !may_want_arguments)
    return;
  auto parsed = parse_json(message,
    {.max_bytes = max_bytes, .max_depth = 64, .max_members = json_limits::members_of_results});
  const auto* said = parsed ? parsed->if_object() : nullptr;
  const auto* result = said != nullptr ? object_in(*said, "result") : nullptr;
  if (result == nullptr)
    return;
  if (may_say_revision)
    version_ = text_of(*result, "protocolVersion");
  if (!std::all_of(version_.begin(), version_.end(), is_visible))
    version_.clear(); // nothing that could go into a header
  if (const auto* tools = result->if_contains("tools"); tools != nullptr && tools->is_array())
    for (auto& [name, wanted] : mcp::arguments_in_headers(possible(tools->get_array())))
      if (mirrored_.size() < most_tools || mirrored_.contains(name))
        mirrored_[name] = std::move(wanted);
}

void http_headers::set_session(std::string_view id) {
  session_ = std::all_of(id.begin(), id.end(), is_visible) ? id : std::string_view{};
}

} // namespace scratchpage::mcp_client
