#pragma once

#include <algorithm>
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
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/mcp/client/server_config.hpp"
#include "scratchpage/runtime/mcp/client/session.hpp"
#include "scratchpage/runtime/mcp/client/transport.hpp"

namespace scratchpage::mcp_client {

/// The pauses between two listings of a server's tools.
struct listing_limits {
  static constexpr std::chrono::milliseconds min_pause = std::chrono::seconds{1};
  static constexpr std::chrono::milliseconds max_pause = std::chrono::minutes{1};
};

/// Decides when the tools of a server that reports changes are listed again: at once, then with
/// pauses that double while changes continue. After the longest pause without a change they are
/// short again. Times come from a steady clock.
class listing_pace {
public:
  /// How long to wait before the next listing.
  timespan pause(timespan now) const { return std::max(next_ - now, timespan::zero()); }

  /// The tools are listed now.
  void begin(timespan now) {
    auto was_quiet = now >= next_ + listing_limits::max_pause;
    pause_ = was_quiet ? timespan{listing_limits::min_pause}
                       : std::min<timespan>(2 * pause_, listing_limits::max_pause);
    next_ = now + pause_;
  }

private:
  timespan pause_{listing_limits::min_pause};
  timespan next_{0};
};

struct tool_server_setup {
  std::string name;
  server_config config;
  uint32_t trace_number = 1;
  environment variables = own_environment;
  transport_factory connect = connect_to;
  /// The trace that a call belongs to (W3C Trace Context). If it is empty or returns "", the server
  /// is not told.
  std::function<std::string(const tool_request&)> traceparent = {};
  /// The pause before it connects again: it begins with the first and doubles with each consecutive
  /// failure up to the second. An answered call resets it.
  timespan min_backoff = std::chrono::milliseconds{200};
  timespan max_backoff = std::chrono::minutes{1};
};

/// The TOOL SERVER: a server of the Model Context Protocol, with the interface of a toolbox. It
/// connects at once, and again when the connection is lost; open calls then fail as transient.
/// Until the first attempt has succeeded or failed, requests for the list of tools wait. While the
/// server is down, its tools stay known and calls wait for it; if the next attempt fails, they
/// fail. When the server reports that its tools have changed, they are listed again
/// (`listing_pace`). It needs a thread of its own, since its destructor waits for the end of the
/// program.
class tool_server {
public:
  using handle = toolbox_actor::extend<
    // INTERNAL: from its transport, when there are events in the inbox.
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
    hopeless, ///< the configuration makes a connection impossible
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
  uint32_t failures_ = 0;    ///< consecutive ones
  bool was_up_ = false;      ///< the last attempt succeeded
  timespan call_timeout_{0}; ///< of the call that is being sent
  bool congested_ = false;   ///< the transport had no room
  std::string last_problem_;
  std::map<std::string, manifest_ptr> tools_; ///< as they were last listed
  manifest_list listed_;                      ///< the same, as the answer to `list_tools`
  listing_pace pace_;
  bool lists_soon_ = false; ///< a listing is due, since the tools have changed
  std::vector<caf::typed_response_promise<tool_list>> lists_;
  std::map<uint64_t, call> calls_; ///< without an answer yet
  uint64_t last_call_ = 0;
  std::shared_ptr<event_inbox> inbox_;
  std::unique_ptr<session> session_;
  std::unique_ptr<transport> transport_;
};

} // namespace scratchpage::mcp_client
