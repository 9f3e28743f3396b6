#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/tool.hpp"
#include "scratchpage/runtime/mcp/client/tool_mapping.hpp"

namespace scratchpage::mcp_client {

/// The supported revisions (https://modelcontextprotocol.io): those that begin with `initialize`,
/// the newest first, and the one in which every request names its revision.
inline constexpr std::string_view greeting_versions[] = {
  "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
inline constexpr std::string_view modern_version = "2026-07-28";

struct session_limits {
  size_t max_message_bytes = 8u << 20; ///< of one message from the server
  size_t max_result_bytes = 1u << 20;
  size_t max_tools = 512; ///< further ones are not offered
  /// Approximate memory for the manifests of all tools; further ones are not offered.
  size_t max_manifest_bytes = 4u << 20;
  size_t max_pages = 64;     ///< of one listing
  size_t max_strays = 1'000; ///< lines from the server that are no messages; more end the session
};

/// The tools that a server offers.
struct tool_listing {
  manifest_list tools;
  std::vector<std::string> left_out; ///< tools that are not offered: a sentence about each
};

/// The callbacks of a session. None of them may destroy it.
struct session_events {
  std::function<void(const json::object&)> send; ///< sends a message to the server
  std::function<void(tool_listing)> offer;       ///< takes the tools, after each listing
  std::function<void()> changed;                 ///< the tools have changed since they were listed
  std::function<void(uint64_t call, call_outcome)> answer; ///< once for each call, unless cancelled
};

/// A client's session with a server of the Model Context Protocol, without a transport. It
/// initializes the session, lists the tools, calls them, and answers requests of the server. It
/// declares no capability, so a server may only send `ping`. If a server refuses `initialize`,
/// `server/discover` finds out whether it supports the revision without that.
class session {
public:
  session(offer_rules rules, session_limits limits, session_events events);

  /// Sends `initialize`. @pre Called once, before everything else.
  void begin();

  /// Takes a message from the server, in JSON.
  void receive(std::string_view text);

  /// Tells the session that the transport will not get an answer to the request with that id.
  void on_lost(const json::value& id, tool_failure why, std::string_view text);

  /// Calls a tool by its name on the server. A `traceparent` tells the server which trace the call
  /// belongs to; "": none. @pre `is_ready()`
  uint64_t call(std::string_view tool, json::object arguments, const std::string& traceparent = {});

  /// Lists the tools again. The session itself lists them only at the beginning.
  /// @pre `is_ready()`, and `changed` was called
  void list();

  /// Cancels a call: its answer is ignored, and the server is notified.
  void cancel(uint64_t call, std::string_view reason);

  /// Whether the tools have been listed.
  bool is_ready() const { return ready_; }

  /// Why the session cannot continue; nothing if it can.
  const std::optional<std::string>& broken() const { return broken_; }

  const std::string& version() const { return version_; } ///< of the protocol
  const std::string& server() const { return server_; }   ///< its own name for itself

private:
  enum class kind { greeting, discovery, page, listening, tool_call };

  uint64_t ask(kind what, std::string_view method, json::object params, json::object meta = {});
  void notify(std::string_view method, json::object params);
  void take(const json::value& message);
  void take_request(const json::object& message, std::string_view method);
  void take_notification(std::string_view method);
  void take_response(const json::object& message);
  void on_result(uint64_t id, kind what, const json::object& result);
  void on_error(uint64_t id, kind what, tool_failure why, const std::string& text);
  void stray(std::string_view text);

  void on_greeted(const json::object& result);
  void on_discovered(const json::object& result);
  void remember_server(const json::object& result, const json::object* info);
  void ask_for_page();
  void on_page(const json::object& result);
  void take_tools(const json::object& result);
  void take_tool(const json::value& tool);
  void leave_out(std::string why);
  bool is_full() const;
  void finish_listing();
  void break_off(std::string why);

  bool is_modern() const { return version_ == modern_version; }

  offer_rules rules_;
  session_limits limits_;
  session_events events_;
  std::map<uint64_t, kind> pending_; ///< requests without an answer
  uint64_t last_id_ = 0;
  std::string version_;
  std::string server_;
  std::string greeting_error_;
  std::optional<std::string> broken_;
  size_t strays_ = 0;
  bool ready_ = false;
  bool offers_tools_ = false;
  bool lists_changes_ = false; ///< whether the server reports changes of its tools

  // -- the current listing
  bool listing_ = false;
  bool changed_ = false; ///< the tools have changed during the listing
  size_t pages_ = 0;
  std::string cursor_;
  std::set<std::string> cursors_; ///< cursors that were followed
  tool_listing found_;
  size_t found_bytes_ = 0; ///< memory of the tools, with the first that had no room
  std::set<std::string> found_ids_;
};

} // namespace scratchpage::mcp_client
