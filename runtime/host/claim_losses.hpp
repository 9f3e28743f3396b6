#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include <caf/error.hpp>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// The agents that another server has taken in the last minutes. Each is left to that server for a
/// pause, which grows if two servers take an agent from each other. May be used from any thread.
class claim_losses {
public:
  /// Notes a loss at `now`. `since`: when this server had claimed the agent (`clock::steady`).
  void note(const std::string& agent_id, timespan since, timespan now);

  /// `storage_unavailable` about `agent` during the pause of this agent.
  caf::error check(const std::string& agent_id, timespan now) const;

  /// The same during the pause of any agent.
  caf::error check_all(timespan now) const;

private:
  struct loss {
    timespan until{}; ///< the agent is not claimed again before this time
    timespan pause{}; ///< the length of the pause
  };

  static caf::error check(const loss& x, timespan now);

  mutable std::mutex guard_;
  std::map<std::string, loss, std::less<>> lost_;
};

} // namespace scratchpage
