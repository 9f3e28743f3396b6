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
#include "scratchpage/runtime/mcp/client/call_outcome.hpp"
#include "scratchpage/runtime/mcp/client/offered_tool.hpp"

namespace scratchpage::mcp_client {

/// The revisions that are spoken: with a greeting, the newest first, and the one
/// where every request says its own (https://modelcontextprotocol.io).
inline constexpr std::string_view greeting_versions[] = {
  "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
inline constexpr std::string_view modern_version = "2026-07-28";

struct session_limits {
  size_t max_message_bytes = 8u << 20; ///< of one of the server's
  size_t max_result_bytes = 1u << 20;
  size_t max_tools = 512; ///< what is more is not offered
  /// Of memory, about, that the manifests of all of them take; what is more is not offered.
  size_t max_manifest_bytes = 4u << 20;
  size_t max_pages = 64;     ///< of one listing
  size_t max_strays = 1'000; ///< of its messages that are none; more end the session
};

/// What a server offers.
struct tool_listing {
  manifest_list tools;
  std::vector<std::string> left_out; ///< why, a sentence each
};

/// What a session wants done. None of them may end the session.
struct session_events {
  std::function<void(const json::object&)> send; ///< a message to the server
  std::function<void(tool_listing)> offer;       ///< each time that they are listed
  std::function<void()> changed;                 ///< the tools have, since they were listed
  std::function<void(uint64_t call, call_outcome)> answer; ///< each call once, unless cancelled
};

/// One conversation with a server of the Model Context Protocol, as its client,
/// without a transport: greets, lists tools, calls them, and answers what the
/// server asks. It declares no capability, so all that a server may ask is
/// whether it is there. Where a server knows no greeting it is asked with
/// `server/discover` whether it speaks the revision without one.
class session {
public:
  session(offer_rules rules, session_limits limits, session_events events);

  /// Greets. @pre Called once, before all else.
  void begin();

  /// A message of the server's: one text in JSON.
  void receive(std::string_view text);

  /// The transport gave up on the request with that id.
  void on_lost(const json::value& id, tool_failure why, std::string_view text);

  /// Calls a tool by the server's own name for it. @pre `is_ready()`.
  /// With a `traceparent` the server is told to which trace the call belongs.
  uint64_t call(std::string_view tool, json::object arguments, const std::string& traceparent = {});

  /// Lists the tools once more. A session does so by itself in the beginning only.
  /// @pre `is_ready()`, and it was told that they have changed
  void list();

  /// Nobody waits for the call's answer any more. The server is told.
  void cancel(uint64_t call, std::string_view reason);

  /// It has listed its tools.
  bool is_ready() const { return ready_; }

  /// Why it cannot go on; nothing while it can.
  const std::optional<std::string>& broken() const { return broken_; }

  const std::string& version() const { return version_; } ///< of the protocol
  const std::string& server() const { return server_; }   ///< what it calls itself, for people

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
  bool lists_changes_ = false; ///< whether it tells when its tools change

  // -- the listing at hand
  bool listing_ = false;
  bool changed_ = false; ///< they have while they were listed
  size_t pages_ = 0;
  std::string cursor_;
  std::set<std::string> cursors_; ///< that were followed
  tool_listing found_;
  size_t found_bytes_ = 0; ///< of memory, those of the first that had no room included
  std::set<std::string> found_ids_;
};

} // namespace scratchpage::mcp_client
