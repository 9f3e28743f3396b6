#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <caf/disposable.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/mcp/client/environment.hpp"
#include "scratchpage/runtime/mcp/client/event_inbox.hpp"
#include "scratchpage/runtime/mcp/client/listing_pace.hpp"
#include "scratchpage/runtime/mcp/client/session.hpp"
#include "scratchpage/runtime/mcp/client/transport.hpp"

namespace scratchpage::mcp_client {

struct tool_server_setup {
  std::string name;
  server_config config;
  uint32_t trace_number = 1;
  environment variables = own_environment;
  transport_factory connect = connect_to;
  /// To which trace a call belongs (W3C Trace Context); "" or empty: servers are not told.
  std::function<std::string(const tool_request&)> traceparent = {};
  /// Before it is connected to again: the first, doubled with each failure that
  /// follows another, at most the second. A call that is answered ends a row.
  timespan min_backoff = std::chrono::milliseconds{200};
  timespan max_backoff = std::chrono::minutes{1};
};

/// The TOOL SERVER: a server of the Model Context Protocol, as a toolbox of its
/// own. Connects at once, and again when the connection is lost; calls that were
/// under way then fail, as transient. Until it came up for the first time, or
/// failed to, a question for its tools waits. While it is down its tools are still
/// known, and calls wait for it; if it does not come up again they fail. When it
/// says that its tools have changed they are listed again (`listing_pace`). Give it
/// a thread of its own: its end waits for the program's.
class tool_server {
public:
  using handle = toolbox_actor::extend<
    // From its transport: something has come in.
    caf::result<void>(caf::tick_atom)>;
  static constexpr const char* name = "tool_server";

  tool_server(handle::pointer self, const agent_context& agent, tool_server_setup setup);
  ~tool_server();

  handle::behavior_type make_behavior();

private:
  enum class phase {
    connecting,
    up,
    waiting,  ///< for the next attempt
    hopeless, ///< it can never be connected to
  };

  struct call {
    tool_request request;
    caf::typed_response_promise<tool_response> answer;
    caf::disposable timer;
    uint64_t number = 0; ///< the session's; 0: not sent yet
  };

  caf::result<tool_list> list();
  caf::result<tool_response> accept(tool_request request);

  // -- the connection
  void connect();
  void on_events();
  void check(uint64_t attempt);
  void lose(std::string why);
  void connect_later();
  void come_up(tool_listing found);
  void list_tools_soon();
  void list_tools_now();
  std::string describe_state() const;

  // -- calls
  timespan timeout_of(const tool_request& request) const;
  void send(uint64_t key);
  void on_outcome(uint64_t number, call_outcome outcome);
  void on_deadline(uint64_t key);
  void fail_calls(bool also_unsent, const std::string& text);
  void answer(uint64_t key, tool_response response);

  void answer_lists();
  void note(std::string_view operation, std::string_view status, json::object detail);

  handle::pointer self_;
  tool_server_setup setup_;
  std::shared_ptr<const scratchpage::clock> clock_;
  tracer trace_;
  server_config config_; ///< with its variables replaced
  std::vector<std::string> secrets_;
  phase phase_ = phase::waiting;
  uint64_t attempt_ = 0;
  uint32_t failures_ = 0;  ///< in a row
  bool was_up_ = false;    ///< the last attempt succeeded
  timespan patience_{0};   ///< of the call that is being sent
  bool congested_ = false; ///< the transport had no room
  std::string last_problem_;
  std::map<std::string, manifest_ptr> tools_; ///< as they were last listed
  manifest_list listed_;                      ///< the same, for everybody who asks
  listing_pace pace_;
  bool lists_soon_ = false; ///< for they have changed
  std::vector<caf::typed_response_promise<tool_list>> lists_;
  std::map<uint64_t, call> calls_; ///< not yet answered
  uint64_t last_call_ = 0;
  std::shared_ptr<event_inbox> inbox_;
  std::unique_ptr<session> session_;
  std::unique_ptr<transport> transport_;
};

} // namespace scratchpage::mcp_client
