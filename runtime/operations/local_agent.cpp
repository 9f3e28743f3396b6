#include "scratchpage/runtime/operations/local_agent.hpp"

#include <utility>

#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

local_agent::local_agent(std::unique_ptr<agent_host> host, hosted_agent_ptr agent)
  : host_{std::move(host)},
    agent_{std::move(agent)} {}

caf::expected<json::value> local_agent::call(call_operation request) {
  caf::scoped_actor self{host_->system()};
  caf::expected<json::value> result{fail(errc::internal, "", "expected an answer")};
  // Operations have limits of their own.
  ask(self.ptr(), agent_->operations, caf::infinite, std::move(request))
    .receive([&](operation_answer& x) { result = std::move(x.result); },
      [&](const caf::error& err) { result = err; });
  return result;
}

} // namespace scratchpage
