#include "scratchpage/runtime/server/agent_opener.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"

namespace scratchpage::serve {

agent_opener::agent_opener(agent_host& host)
  : host_{host},
    work_{{.pieces = most_waiting}, work_queue::pace::as_others} {}

void agent_opener::with(const std::string& id, if_missing what, const caller& by, on_agent then) {
  if (auto open = host_.find(id)) {
    then(std::move(open));
    return;
  }
  if (!later([this, id, what, by, then] { then(host_.open(id, what, &by)); }))
    then(fail(errc::overloaded, "", "expected fewer agents that are opened at once"));
}

} // namespace scratchpage::serve
