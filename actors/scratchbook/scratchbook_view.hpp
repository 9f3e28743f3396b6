#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scratchpage/actors/scratchbook/scratchbook_config.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/text/token_estimate.hpp"

namespace scratchpage {

/// What a model sees of a scratchbook (contract 11): one line an item, with its
/// id. Pinned ones first, in pin order; then tasks, then todos, of each those in
/// progress, open, and blocked; then notes; what was updated last comes first,
/// then what was added last, then by id. What is done or archived is there only
/// if it is pinned.
///
/// An item whose body does not fit is shown without it; what does not fit then
/// is left out, with all that follows it, and the last line says how many
/// those are. A line says who wrote its item, unless that was `reader` itself, an agent as
/// `said_by` has it, or a component of the ensemble. What a person wrote says so to everybody. The
/// first line is cut rather than left out, even if a budget of one or two tokens is too small for a
/// single word. The same content gives the same bytes.
///
/// `after` is the id of the last item of the part before, "" for the beginning;
/// one that is not in the view begins it again.
scratch_view render_view(const scratchbook& of, const scratchbook_view_config& limits,
  const token_counter& count, std::string_view after = {}, std::string_view reader = {});

/// The view when there is none, and when there is nothing in it.
inline constexpr std::string_view disabled_view = "(the scratchbook view is disabled)";
inline constexpr std::string_view empty_view = "(the scratchbook is empty)";

} // namespace scratchpage
