#pragma once

#include <cstdint>

#include "scratchpage/messages/conversation.hpp"

namespace scratchpage {

/// A plan that does no harm, whoever made it: it writes over no item of `in` but the
/// summary, and adds at most `max_actions`.
compaction_plan harmless_plan(compaction_plan x, const scratchbook& in, uint32_t max_actions);

} // namespace scratchpage
