#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// What a host knows of an agent that is at rest. Everything else is in the store.
struct resting_agent {
  ownership owner;                  ///< the claim, which the host keeps
  std::shared_ptr<keepsakes> kept;  ///< what its actors remember; not null
  std::optional<timestamp> wake_at; ///< when something of it is due, such as the end of a lifetime
  uint64_t log_after = 0;           ///< the log of its page has the changes after this sequence
};

/// The agents of a host that are at rest. Its owner guards it.
class resting_agents {
public:
  void add(const std::string& id, resting_agent x);

  /// The agent, which is not at rest any more; nothing if it was not.
  std::optional<resting_agent> take(std::string_view id);

  /// The agents of which something is due at `now`, the earliest first, at most `most`.
  std::vector<std::string> due(timestamp now, size_t most) const;

  size_t count() const { return agents_.size(); }

  /// The memory, about, that all of them take.
  uint64_t bytes() const { return bytes_; }

private:
  struct entry {
    resting_agent agent;
    uint64_t bytes;
  };

  /// Of the entries of the two maps, and of their allocations.
  static constexpr uint64_t entry_bytes = sizeof(entry) + 192;

  std::map<std::string, entry, std::less<>> agents_;
  std::set<std::pair<timestamp, std::string>> by_time_; ///< those with `wake_at`
  uint64_t bytes_ = 0;
};

} // namespace scratchpage
