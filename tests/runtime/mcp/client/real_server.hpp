#pragma once

#include <string>
#include <string_view>

#include <boost/test/unit_test.hpp>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/mcp/client/tool_server.hpp"
#include "scratchpage/tests/support/tools.hpp"

namespace scratchpage::test {

/// A real server, and short functions to use it. Nothing sleeps: tests wait for answers.
struct real_server {
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
  caf::actor_system_config cfg;
  caf::actor_system sys{cfg};
  caf::scoped_actor self{sys};
  mcp_client::tool_server_setup setup;
  toolbox_actor server;

  ~real_server() { end(); }

  void start(mcp_client::server_config config) {
    setup.name = "box";
    setup.config = std::move(config);
    setup.min_backoff = std::chrono::milliseconds{1};
    agent_context agent{"agent_1", std::make_shared<wall_clock>(), trace};
    server = spawn_detached<mcp_client::tool_server>(sys, agent, setup);
  }

  /// Ends the server and waits until it and its transport are gone.
  void end() {
    if (!server)
      return;
    self->send_exit(server, caf::exit_reason::user_shutdown);
    self->wait_for(server);
    server = nullptr;
  }

  std::string tools() {
    std::string result;
    ask(self.ptr(), server, std::chrono::minutes{1}, list_tools{as_daemon("probe")})
      .receive(
        [&](const tool_list& found) {
          for (const auto& x : found.tools)
            result.append(result.empty() ? "" : " ").append(x->tool_id.substr(4));
        },
        [&](const caf::error& err) { result = describe(err); });
    return result;
  }

  std::string call(std::string tool, std::string_view inputs = "{}", double timeout_ms = 0) {
    auto wanted = request("box." + tool, "t/1", object(inputs));
    wanted.timeout_ms = timeout_ms;
    auto result = std::string{"no answer"};
    ask(self.ptr(), server, std::chrono::minutes{1}, std::move(wanted))
      .receive(
        [&](const tool_response& x) {
          result = x.outputs.contains("text") ? to_string(x.status) + " " + output(x, "text")
                                              : to_string(x.status) + " " + to_text(x.outputs);
        },
        [&](const caf::error& err) { result = describe(err); });
    return result;
  }

  std::string traced(std::string_view operation) const {
    std::string result;
    for (const auto& x : trace->entries())
      if (x.operation == operation)
        result.append(result.empty() ? "" : "; ").append(x.status + " " + to_text(x.detail));
    return result;
  }
};

} // namespace scratchpage::test
