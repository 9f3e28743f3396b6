#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/text/tokens.hpp"

namespace scratchpage {

/// Makes the view of a scratchbook that a model gets (contract 11): one line for each item, with
/// its id. The order is: pinned items, in the order in which they were pinned; tasks that are in
/// progress, open, blocked; todos in the same order; notes. Among equals the item that was updated
/// last comes first, then the one that was added last, then the lower id. Items that are done or
/// archived are shown only if they are pinned.
///
/// An item that does not fit with its body is shown without it. If it still does not fit, it is
/// left out with all items after it, and the last line says how many are left out. The first line
/// is cut and never left out. A line names the writer of its item, unless the writer is a component
/// of the ensemble or the agent `reader` (a text as `said_by` returns it). A person who wrote an
/// item is always named. The same content gives the same bytes.
///
/// `after` is the id of the last item of the previous part, or "" for the beginning. If the item
/// `after` is not in the view, the view begins again.
scratch_view render_view(const scratchbook& of, const scratchbook_view_config& limits,
  const token_counter& count, std::string_view after = {}, std::string_view reader = {});

/// The view if it is disabled by its limits, and if no item is shown.
inline constexpr std::string_view disabled_view = "(the scratchbook view is disabled)";
inline constexpr std::string_view empty_view = "(the scratchbook is empty)";

} // namespace scratchpage
