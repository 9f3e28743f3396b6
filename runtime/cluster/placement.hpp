#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scratchpage::cluster {

/// A node that agents may live on.
struct placeable_node {
  std::string name;
  double capacity = 1; ///< its share of the agents, compared with the others; at most 0: none
};

/// The place in `nodes` of the node that should have an agent; nothing if no node has a capacity.
/// It is rendezvous hashing with weights: each node has a score for each agent, and the highest one
/// wins. So all nodes that know the same nodes agree without speaking to each other, and when a
/// node comes or goes, only the agents move that it gets, or had.
///
/// Source: Thaler and Ravishankar, "Using Name-Based Mappings to Increase Hit Rates" (1998); the
/// form with weights: Schindelhauer and Schomaker, "Weighted Distributed Hash Tables" (2005).
std::optional<size_t> place_of(std::string_view agent_id, std::span<const placeable_node> nodes);

} // namespace scratchpage::cluster
