#include "scratchpage/runtime/mcp/client/session.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/version.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

namespace scratchpage::mcp_client {

using mcp::object_in;
using mcp::text_of;

namespace {

constexpr size_t max_depth = 64;
constexpr size_t max_notes = 16; // about tools that are not offered

json::object client_info() {
  return {{"name", "scratchpage"}, {"version", view(scratchpage::version)}};
}

/// The `_meta` of each modern request.
json::object modern_meta() {
  return {{"io.modelcontextprotocol/protocolVersion", view(modern_version)},
    {"io.modelcontextprotocol/clientInfo", client_info()},
    {"io.modelcontextprotocol/clientCapabilities", json::object{}}};
}

bool is_spoken(std::string_view version) {
  return std::find(std::begin(greeting_versions), std::end(greeting_versions), version)
         != std::end(greeting_versions);
}

bool tells_of_changes(const json::object& capabilities) {
  const auto* tools = object_in(capabilities, "tools");
  const auto* changes = tools != nullptr ? tools->if_contains("listChanged") : nullptr;
  return changes != nullptr && changes->is_bool() && changes->get_bool();
}

/// About how many bytes of memory a manifest takes.
size_t memory_of(const tool_manifest& x) {
  return sizeof(tool_manifest) + x.tool_id.size() + x.description.size()
         + scratchpage::memory_of(x.inputs);
}

/// The id of one of our requests; nothing if it is no number.
std::optional<uint64_t> own_id(const json::value& id) {
  boost::json::error_code ec;
  auto number = id.is_number() ? id.to_number<uint64_t>(ec) : 0;
  return id.is_number() && !ec ? std::optional{number} : std::nullopt;
}

} // namespace

session::session(offer_rules rules, session_limits limits, session_events events)
  : rules_{std::move(rules)},
    limits_{limits},
    events_{std::move(events)} {}

void session::begin() {
  ask(kind::greeting, "initialize",
    {{"protocolVersion", view(greeting_versions[0])}, {"capabilities", json::object{}},
      {"clientInfo", client_info()}});
}

uint64_t session::call(
  std::string_view tool, json::object arguments, const std::string& traceparent) {
  json::object meta;
  if (!traceparent.empty())
    meta["traceparent"] = traceparent;
  return ask(kind::tool_call, "tools/call",
    {{"name", view(tool)}, {"arguments", std::move(arguments)}}, std::move(meta));
}

void session::cancel(uint64_t call, std::string_view reason) {
  if (pending_.erase(call) > 0)
    notify("notifications/cancelled", {{"requestId", call}, {"reason", view(reason)}});
}

// -- sending --------------------------------------------------------------------------

uint64_t session::ask(kind what, std::string_view method, json::object params, json::object meta) {
  auto id = ++last_id_;
  pending_.emplace(id, what);
  if (is_modern() || what == kind::discovery)
    for (const auto& x : modern_meta())
      meta.insert(x);
  if (!meta.empty())
    params["_meta"] = std::move(meta);
  events_.send(
    {{"jsonrpc", "2.0"}, {"id", id}, {"method", view(method)}, {"params", std::move(params)}});
  return id;
}

void session::notify(std::string_view method, json::object params) {
  json::object message{{"jsonrpc", "2.0"}, {"method", view(method)}};
  if (!params.empty())
    message["params"] = std::move(params);
  events_.send(message);
}

// -- receiving ------------------------------------------------------------------------

void session::receive(std::string_view text) {
  if (broken_)
    return;
  auto message = parse_json(text, {.max_bytes = limits_.max_message_bytes,
                                    .max_depth = max_depth,
                                    .max_members = json_limits::members_of_results});
  if (!message)
    return stray(text);
  if (!message->is_array())
    return take(*message);
  for (const auto& one : message->get_array()) // only 2025-03-26 has batches
    take(one);
}

void session::take(const json::value& message) {
  const auto* object = message.if_object();
  if (object == nullptr || broken_)
    return stray(to_text(message));
  auto method = text_of(*object, "method");
  if (method.empty())
    take_response(*object);
  else if (object->contains("id"))
    take_request(*object, method);
  else
    take_notification(method);
}

/// Answers a request of the server. Only `ping` is allowed, since the client has no capability.
void session::take_request(const json::object& message, std::string_view method) {
  const auto& id = message.at("id");
  events_.send(method == "ping"
                 ? json_rpc::answer(id, json::object{})
                 : json_rpc::refuse(id, json_rpc::code::method_not_found,
                   "this client has no method " + std::string{method.substr(0, 64)}));
}

void session::take_notification(std::string_view method) {
  if (method != "notifications/tools/list_changed" || !ready_)
    return;
  if (listing_)
    changed_ = true;
  else
    events_.changed();
}

void session::take_response(const json::object& message) {
  const auto* id = message.if_contains("id");
  auto number = id != nullptr ? own_id(*id) : std::nullopt;
  auto asked = number ? pending_.find(*number) : pending_.end();
  if (asked == pending_.end())
    return stray(to_text(message)); // may be the answer to a cancelled call
  auto what = asked->second;
  pending_.erase(asked);
  if (const auto* result = object_in(message, "result"))
    return on_result(*number, what, *result);
  const auto* error = message.if_contains("error");
  auto why = error != nullptr ? *error : json::value{};
  on_error(*number, what, class_of_rpc_error(why), describe_rpc_error(why));
}

void session::on_lost(const json::value& id, tool_failure why, std::string_view text) {
  auto number = own_id(id);
  auto asked = number ? pending_.find(*number) : pending_.end();
  if (asked == pending_.end() || broken_)
    return;
  auto what = asked->second;
  pending_.erase(asked);
  if (what == kind::greeting)
    return break_off(std::string{text});
  on_error(*number, what, why, std::string{text});
}

void session::on_result(uint64_t id, kind what, const json::object& result) {
  switch (what) {
  case kind::greeting:
    return on_greeted(result);
  case kind::discovery:
    return on_discovered(result);
  case kind::page:
    return on_page(result);
  case kind::listening:
    return;
  case kind::tool_call:
    break;
  }
  if (text_of(result, "resultType") == "input_required")
    return events_.answer(
      id, failed_outcome(tool_failure::other, "asks for input, which only a person could give"));
  events_.answer(id, read_result(result, limits_.max_result_bytes));
}

void session::on_error(uint64_t id, kind what, tool_failure why, const std::string& text) {
  switch (what) {
  case kind::greeting:
    greeting_error_ = text;
    ask(kind::discovery, "server/discover", {});
    return;
  case kind::discovery:
    return break_off(greeting_error_ + " (request: initialize)");
  case kind::page:
    if (!ready_ && offers_tools_)
      return break_off(text + " (request: tools/list)");
    if (!ready_)
      return finish_listing(); // it has none, as its capabilities say
    listing_ = false;          // the tools stay as they were
    return;
  case kind::listening:
    return;
  case kind::tool_call:
    return events_.answer(id, failed_outcome(why, text));
  }
}

/// Counts a line that is no message. Many programs print some lines for people on their output.
void session::stray(std::string_view text) {
  if (++strays_ > limits_.max_strays)
    break_off("wrote more than " + std::to_string(limits_.max_strays)
              + " lines that are no messages, the last: " + printable(text));
}

void session::break_off(std::string why) {
  if (!broken_)
    broken_ = std::move(why);
}

// -- the beginning ----------------------------------------------------------------------

void session::on_greeted(const json::object& result) {
  auto version = text_of(result, "protocolVersion");
  if (!is_spoken(version))
    return break_off(
      "uses the revision " + printable(version, 64) + " of the protocol, which is not supported");
  version_ = version;
  remember_server(result, object_in(result, "serverInfo"));
  notify("notifications/initialized", {});
  list();
}

void session::on_discovered(const json::object& result) {
  const auto* versions = result.if_contains("supportedVersions");
  auto speaks = versions != nullptr && versions->is_array()
                && std::any_of(versions->get_array().begin(), versions->get_array().end(),
                  [](const json::value& x) { return x == json::value(view(modern_version)); });
  if (!speaks)
    return break_off("supports no revision of the protocol that is supported here");
  version_ = modern_version;
  const auto* meta = object_in(result, "_meta");
  remember_server(
    result, meta != nullptr ? object_in(*meta, "io.modelcontextprotocol/serverInfo") : nullptr);
  list();
  if (lists_changes_)
    ask(kind::listening, "subscriptions/listen",
      {{"notifications", json::object{{"toolsListChanged", true}}}});
}

void session::remember_server(const json::object& result, const json::object* info) {
  if (info != nullptr)
    server_ = printable(
      std::string{text_of(*info, "name")}.append(" ").append(text_of(*info, "version")), 128);
  if (const auto* capabilities = object_in(result, "capabilities")) {
    offers_tools_ = capabilities->contains("tools");
    lists_changes_ = tells_of_changes(*capabilities);
  }
}

// -- tools --------------------------------------------------------------------------------

void session::list() {
  listing_ = true;
  changed_ = false;
  pages_ = 0;
  cursor_.clear();
  cursors_.clear();
  found_ = {};
  found_bytes_ = 0;
  found_ids_.clear();
  ask_for_page();
}

void session::ask_for_page() {
  ++pages_;
  json::object params;
  if (!cursor_.empty())
    params["cursor"] = cursor_;
  ask(kind::page, "tools/list", std::move(params));
}

void session::on_page(const json::object& result) {
  take_tools(result);
  cursor_ = text_of(result, "nextCursor");
  auto is_last =
    cursor_.empty() || is_full() || pages_ >= limits_.max_pages || !cursors_.insert(cursor_).second;
  if (is_last)
    finish_listing();
  else
    ask_for_page();
}

void session::take_tools(const json::object& result) {
  const auto* tools = result.if_contains("tools");
  if (tools == nullptr || !tools->is_array())
    return;
  for (const auto& tool : tools->get_array()) {
    if (found_.tools.size() >= limits_.max_tools)
      return leave_out("expected at most " + std::to_string(limits_.max_tools) + " tools");
    if (is_full())
      return;
    take_tool(tool);
  }
}

void session::take_tool(const json::value& tool) {
  auto manifest = to_manifest(tool, rules_);
  if (!manifest)
    return leave_out(describe(manifest.error()));
  if (!is_wanted(rules_, own_name(manifest->tool_id, rules_.server))
      || !found_ids_.insert(manifest->tool_id).second)
    return;
  found_bytes_ += memory_of(*manifest);
  if (found_bytes_ > limits_.max_manifest_bytes)
    return leave_out("expected tools of at most " + std::to_string(limits_.max_manifest_bytes)
                     + " bytes together; " + manifest->tool_id
                     + " and those after it are not offered");
  found_.tools.emplace_back(std::move(*manifest));
}

void session::leave_out(std::string why) {
  if (found_.left_out.size() < max_notes)
    found_.left_out.push_back(std::move(why));
}

/// Whether there is no room for a further tool, so that more pages are not needed.
bool session::is_full() const {
  return found_.tools.size() >= limits_.max_tools || found_bytes_ > limits_.max_manifest_bytes;
}

void session::finish_listing() {
  listing_ = false;
  ready_ = true;
  events_.offer(std::move(found_));
  if (std::exchange(changed_, false))
    events_.changed();
}

} // namespace scratchpage::mcp_client
