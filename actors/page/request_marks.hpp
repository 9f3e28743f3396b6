#pragma once

#include <cstdint>

#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/request_key.hpp"

/// The marks of requests to the page, by which a page recognizes a request that is repeated. A
/// request without a key has a mark without a key. The digest is that of all that is asked for,
/// except who asks.

namespace scratchpage {

/// `part` is the place of the draft among those of one request.
request_mark mark_of(const add_observation& x, uint32_t part = 0);
request_mark mark_of(const update_observation& x);
request_mark mark_of(const archive_observation& x);
request_mark mark_of(const clear_resolved& x);

/// Links are the same however often they are made, so they need no mark.
inline request_mark mark_of(const link_observations&) {
  return {};
}

} // namespace scratchpage
