#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scratchpage/messages/trace.hpp"

namespace scratchpage {

/// An entry in the tree of what caused what.
struct trace_node {
  const trace_entry* entry;
  size_t depth; ///< 0: nothing that is known caused it
};

/// The entries in the order of reading: each behind what caused it, before the
/// next of the same cause. Of entries with one id, the nearest is meant. None is
/// left out, also if their causes go in a circle.
std::vector<trace_node> tree_of(std::span<const trace_entry> entries);

} // namespace scratchpage
