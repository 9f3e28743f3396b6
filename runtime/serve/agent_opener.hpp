#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "scratchpage/runtime/agent_host.hpp"

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
  ~agent_opener(); ///< what is to be done is done before

  void with(const std::string& id, if_missing what, on_agent then);

  /// Whether it will be done.
  bool later(std::function<void()> work);

private:
  void run();

  agent_host& host_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool ends_ = false;
  std::thread thread_;
};

} // namespace scratchpage::serve
