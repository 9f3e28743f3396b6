#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/text/keyed_hash.hpp"

namespace scratchpage::serve {

/// How many calls each principal has under way at each agent; all programs whose names nobody has
/// checked are one. An agent that is asked faster than
/// it answers would else have an ever longer queue, in which everybody waits behind whoever asks
/// the most. May be used from any thread.
class calls_under_way {
public:
  /// Of one principal at one agent.
  static constexpr size_t most = 512;

  /// A place, for as long as somebody holds it; null if the principal has as many as it may. May
  /// outlive this.
  std::shared_ptr<const void> enter(const std::string& agent_id, const caller& by);

  /// What a principal without a place is told: `overloaded`, which passes by itself.
  static caf::error refusal(const caller& by);

private:
  struct counts {
    std::mutex guard;
    /// And agent; none is 0.
    std::unordered_map<std::string, size_t, keyed_text_hash, std::equal_to<>> by_principal;
  };

  std::shared_ptr<counts> counts_ = std::make_shared<counts>();
};

} // namespace scratchpage::serve
