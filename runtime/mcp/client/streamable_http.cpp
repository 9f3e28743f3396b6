#include "scratchpage/runtime/mcp/client/streamable_http.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

namespace scratchpage::mcp_client {

using mcp::object_in;
using mcp::text_of;

// -- headers --------------------------------------------------------------------------

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

/// The tools with valid headers: the name of another program must not end a line of the head.
json::array with_valid_headers(const json::array& tools) {
  json::array result;
  for (const auto& x : tools) {
    const auto* tool = x.if_object();
    const auto* schema = tool != nullptr ? object_in(*tool, "inputSchema") : nullptr;
    if (schema != nullptr && !mcp::wrong_header(*schema))
      result.push_back(x);
  }
  return result;
}

constexpr size_t max_tools = 1'000; // whose arguments are remembered

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
    version_.clear(); // not allowed in a header
  if (const auto* tools = result->if_contains("tools"); tools != nullptr && tools->is_array())
    for (auto& [name, wanted] : mcp::arguments_in_headers(with_valid_headers(tools->get_array())))
      if (mirrored_.size() < max_tools || mirrored_.contains(name))
        mirrored_[name] = std::move(wanted);
}

void http_headers::set_session(std::string_view id) {
  session_ = std::all_of(id.begin(), id.end(), is_visible) ? id : std::string_view{};
}

// -- events ---------------------------------------------------------------------------

namespace {

constexpr uint32_t longest_retry_ms = 60'000;

std::optional<timespan> read_retry(std::string_view text) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return std::chrono::milliseconds{std::min(value, longest_retry_ms)};
}

} // namespace

sse_reader::sse_reader(size_t max_bytes, std::function<bool(std::string)> on_data)
  : max_bytes_{max_bytes},
    on_data_{std::move(on_data)} {}

bool sse_reader::feed(std::string_view piece) {
  while (!piece.empty()) {
    if (std::exchange(after_return_, false) && piece.front() == '\n') {
      piece.remove_prefix(1);
      continue;
    }
    auto end = piece.find_first_of("\r\n");
    line_ += piece.substr(0, end);
    if (line_.size() + data_.size() > max_bytes_) {
      too_long_ = true;
      return false;
    }
    if (end == std::string_view::npos)
      return true;
    after_return_ = piece[end] == '\r';
    piece.remove_prefix(end + 1);
    if (!take_line(std::exchange(line_, {})))
      return false;
  }
  return true;
}

bool sse_reader::take_line(std::string_view line) {
  if (line.empty())
    return dispatch();
  auto colon = line.find(':');
  auto field = line.substr(0, colon);
  auto value = colon == std::string_view::npos ? std::string_view{} : line.substr(colon + 1);
  if (value.starts_with(' '))
    value.remove_prefix(1);
  if (field == "data") {
    data_.append(has_data_ ? "\n" : "").append(value);
    has_data_ = true;
  } else if (field == "id" && value.find('\0') == std::string_view::npos) {
    last_id_ = value;
  } else if (field == "retry") {
    if (auto wait = read_retry(value))
      retry_ = wait;
  }
  return true;
}

bool sse_reader::dispatch() {
  has_data_ = false;
  auto data = std::exchange(data_, {});
  return data.empty() || on_data_(std::move(data));
}

} // namespace scratchpage::mcp_client
