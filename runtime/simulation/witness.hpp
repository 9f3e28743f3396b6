#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/handles.hpp"

namespace scratchpage {

/// What a subscriber to everything saw of one page: the last form of every
/// observation there ever was, and how often each kind of change happened.
/// Shared between the actor that listens and whoever reads.
class witness {
public:
  void see(const page_event& event);

  struct account {
    std::vector<observation_ptr> observations; ///< in the order in which they were added
    std::map<event_kind, uint64_t> changes;
    std::map<std::string, uint64_t> added_by_type;
    uint64_t seen = 0; ///< changes in all; gapless ones, so that a lost one shows
    uint64_t last_sequence = 0;
  };
  account read() const;

private:
  mutable std::mutex mutex_;
  account account_;
  std::map<std::string, size_t> place_; // of an observation's id in the account
};

/// Subscribes a witness to a page, from the first change on; it takes no part
/// in turns.
caf::actor spawn_witness(
  caf::actor_system& system, scratch_page_actor page, std::shared_ptr<witness> whose);

} // namespace scratchpage
