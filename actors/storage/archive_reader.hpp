#pragma once

#include <memory>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/base/outside_requests.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/memories/archive.hpp"

namespace scratchpage {

/// The ARCHIVE of an agent whose page is durable: it looks for observations that have left the
/// page, so that the page does not wait for the disk. Requests of the ensemble come before requests
/// from outside that wait. This actor blocks its thread: spawn it detached.
class archive_reader {
public:
  using handle = archive_actor;
  static constexpr const char* name = "archive";

  archive_reader(handle::pointer self, std::shared_ptr<store> in, uint64_t agent,
    std::shared_ptr<const scratchpage::clock> clock)
    : kept_{std::move(in), agent, clock},
      outside_{self, std::move(clock)} {}

  handle::behavior_type make_behavior() {
    return {[this](list_archive& x) {
      auto by = x.by;
      return outside_.answer<query_result>(by, from_milliseconds(query_limits::waiting_ms),
        [this, x = std::move(x)] { return kept_.list(x.filter, x.limit, x.cursor); });
    }};
  }

private:
  stored_archive kept_;
  outside_requests<handle::pointer> outside_;
};

} // namespace scratchpage
