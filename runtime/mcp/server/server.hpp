#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/runtime/mcp/server/call.hpp"
#include "scratchpage/runtime/mcp/server/listening.hpp"
#include "scratchpage/runtime/mcp/server/provider.hpp"
#include "scratchpage/runtime/mcp/server/resource_places.hpp"
#include "scratchpage/runtime/mcp/server/subscription_limits.hpp"

namespace scratchpage::mcp {

struct server_config {
  /// How long a client may take to answer a question.
  timespan patience = std::chrono::minutes{10};
  /// At most so many `subscriptions/listen` at a time.
  size_t most_listening = subscription_limits::listening;
  /// At most so many resources in one subscription.
  size_t most_uris = subscription_limits::resources;
  /// At most so many resources in all subscriptions of one client.
  size_t most_uris_of_client = subscription_limits::of_client;
  /// Why nothing more may be kept for a client just now; null: it always may.
  std::function<caf::error()> check_memory = nullptr;
};

/// An MCP server without a transport: what is asked in one request, and what is
/// answered, in either revision. Used on the strand.
class server {
public:
  server(std::shared_ptr<strand> on, std::shared_ptr<provider> offers, server_config config = {});

  const std::shared_ptr<strand>& on() const { return parts_->on; }
  const provider& offers() const { return *offers_; }

  /// Why a client may not begin what has to be remembered; nothing if it may.
  std::optional<error> refuse_to_keep() const;

  /// Answers a request, which has an id, through its `back`.
  void handle(call::setup x);

  /// Takes what needs no answer from a client that has a session.
  static void take_notification(const rpc::request& x, session& from);

private:
  using call_ptr = std::shared_ptr<call>;
  struct method;

  static const method* find(const call& x);
  bool serves(const method& x) const;

  void initialize(const call_ptr& by);
  void ping(const call_ptr& by);
  void discover(const call_ptr& by);
  void set_level(const call_ptr& by);
  void subscribe(const call_ptr& by);
  void unsubscribe(const call_ptr& by);
  void listen(const call_ptr& by);
  void list_tools(const call_ptr& by);
  void call_tool(const call_ptr& by);
  void list_resources(const call_ptr& by);
  void list_templates(const call_ptr& by);
  void read_resource(const call_ptr& by);
  void list_prompts(const call_ptr& by);
  void get_prompt(const call_ptr& by);
  void complete(const call_ptr& by);

  bool add_subscription(const call_ptr& by, const std::string& uri);
  void follow(const client& who, const std::shared_ptr<session>& x);

  std::shared_ptr<provider> offers_;
  server_config config_;
  std::shared_ptr<call_parts> parts_;
  std::shared_ptr<resource_places> places_;
  listening listening_;
  json::object capabilities_;
};

} // namespace scratchpage::mcp
