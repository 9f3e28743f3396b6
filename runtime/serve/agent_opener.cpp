#include "scratchpage/runtime/serve/agent_opener.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/start_thread.hpp"

namespace scratchpage::serve {

agent_opener::agent_opener(agent_host& host)
  : host_{host} {
  if (auto started = start_thread([this] { run(); }))
    thread_ = std::move(*started);
  else
    ends_ = true; // whoever wants something done is told that it is not
}

agent_opener::~agent_opener() {
  {
    std::lock_guard lock{guard_};
    ends_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable())
    thread_.join();
}

void agent_opener::with(const std::string& id, if_missing what, on_agent then) {
  if (auto open = host_.find(id)) {
    then(std::move(open));
    return;
  }
  if (!later([this, id, what, then] { then(host_.open(id, what)); }))
    then(fail(errc::overloaded, "", "expected fewer agents that are opened at once"));
}

bool agent_opener::later(std::function<void()> work) {
  std::lock_guard lock{guard_};
  if (ends_ || jobs_.size() >= most_waiting)
    return false;
  jobs_.push_back(std::move(work));
  changed_.notify_one();
  return true;
}

void agent_opener::run() {
  std::unique_lock lock{guard_};
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
    if (jobs_.empty())
      return;
    auto next = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    next();
    next = {}; // what it holds ends outside of the lock
    lock.lock();
  }
}

} // namespace scratchpage::serve
