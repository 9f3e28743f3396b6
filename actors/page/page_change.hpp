#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <boost/container/small_vector.hpp>

#include "scratchpage/messages/boxed.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/request_key.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// A valid change of one observation that is not committed yet.
struct page_change {
  event_kind kind;
  uint64_t number;
  observation_ptr after;           ///< the observation as the change leaves it
  json::object detail = {};        ///< additional members of the trace entry
  std::string_view operation = {}; ///< of the trace entry; "": that of the whole commit
  size_t bytes = 0;                ///< memory that `after` takes; 0: not counted yet
  /// By how much the protected bytes of the source grow, while the change is on its way to storage.
  int64_t protected_bytes = 0;
  std::optional<timestamp> at = {}; ///< when it happened, if it is made up for; otherwise now
  bool is_from_outside = false;     ///< whether a caller from outside adds the observation
  boxed<request_mark> request = {}; ///< of the request that asked for it, if that has a key
};

/// The changes of one operation; most operations have one.
using page_changes = boost::container::small_vector<page_change, 1>;

} // namespace scratchpage
