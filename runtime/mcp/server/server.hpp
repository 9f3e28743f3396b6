#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/runtime/mcp/server/call.hpp"
#include "scratchpage/runtime/mcp/server/provider.hpp"
#include "scratchpage/runtime/mcp/server/subscriptions.hpp"

namespace scratchpage::mcp {

struct server_config {
  /// How long a client may take to answer a question.
  timespan timeout = std::chrono::minutes{10};
  /// How many `subscriptions/listen` there may be at a time.
  size_t max_listening = subscription_limits::listening;
  /// How many resources one subscription may have.
  size_t max_uris = subscription_limits::resources;
  /// How many resources all subscriptions of one client may have.
  size_t max_uris_of_client = subscription_limits::of_client;
  /// How many tasks one client, and all clients together, may have.
  size_t max_tasks_of_client = task_limits::of_client;
  size_t max_tasks = task_limits::of_all_clients;
  /// Returns an error if there is no memory for further clients now; null: there always is.
  std::function<caf::error()> check_memory = nullptr;
};

/// An MCP server without a transport: answers requests of both generations of the protocol. Used on
/// the strand.
class server {
public:
  server(std::shared_ptr<strand> on, std::shared_ptr<provider> offers, server_config config = {});
  server(const server&) = delete;
  server& operator=(const server&) = delete;
  ~server();

  const std::shared_ptr<strand>& on() const { return parts_->on; }
  const provider& offers() const { return *offers_; }

  /// The error for a request that needs memory beyond its answer; nothing if there is memory.
  std::optional<error> refuse_to_keep() const;

  /// Answers a request, which has an id, through its `back`.
  void handle(call::setup x);

  /// Handles a notification of a client that has a session.
  static void take_notification(const json_rpc::request& x, session& from);

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

  // -- tasks (server_tasks.cpp)
  std::shared_ptr<task> task_of(const call_ptr& by) const;
  void get_task(const call_ptr& by);
  void update_task(const call_ptr& by);
  void cancel_task(const call_ptr& by);

  bool add_subscription(const call_ptr& by, const std::string& uri);
  void follow(const principal& who, const std::shared_ptr<session>& x);

  std::shared_ptr<provider> offers_;
  server_config config_;
  std::shared_ptr<call_parts> parts_;
  std::shared_ptr<resource_places> places_;
  listening listening_;
  json::object capabilities_;
};

} // namespace scratchpage::mcp
