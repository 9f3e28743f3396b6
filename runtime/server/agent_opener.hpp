#pragma once

#include <functional>
#include <string>
#include <utility>

#include "scratchpage/runtime/execution/work_queue.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"

namespace scratchpage::serve {

/// Gets agents for threads that must not wait, and does what else waits for a disk, on
/// a thread of its own.
class agent_opener {
public:
  /// Called once, at once if the agent is open already.
  using on_agent = std::function<void(caf::expected<hosted_agent_ptr>)>;

  /// At most so much is to be done; one more is `overloaded`.
  static constexpr size_t most_waiting = 256;

  explicit agent_opener(agent_host& host);
  agent_opener(const agent_opener&) = delete;
  agent_opener& operator=(const agent_opener&) = delete;

  /// For whom it is, since nobody may open all agents that there is room for.
  void with(const std::string& id, if_missing what, const caller& by, on_agent then);

  /// Whether it will be done.
  bool later(std::function<void()> work) { return work_.later(std::move(work)); }

private:
  agent_host& host_;
  work_queue work_; // done before the rest ends
};

} // namespace scratchpage::serve
