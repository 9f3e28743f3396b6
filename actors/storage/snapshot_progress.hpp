#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// How far the snapshots of agents are behind their journals, and which one is the furthest. It
/// holds only agents that are behind, and no call looks at all of them: there may be many
/// thousands.
class snapshot_progress {
public:
  struct agent {
    ownership by;
    uint64_t last = 0;     ///< the last sequence that is durable
    uint64_t snapshot = 0; ///< the sequence of the snapshot

    uint64_t behind() const { return last - snapshot; }
  };

  /// Notes that the journal has grown from `after` to `last`. That the snapshot of an agent which
  /// is not known is at `after` is a guess: the next advance finds out what comes before.
  void note_written(const ownership& by, uint64_t after, uint64_t last) {
    auto [i, is_new] = agents_.try_emplace(by.agent, agent{by, last, after});
    if (!is_new)
      order_.erase(key_of(i->second));
    i->second.by = by;
    i->second.last = last;
    keep_if_behind(i);
  }

  /// Notes that the snapshot of an agent is at `sequence` or beyond its journal's known end.
  void note_snapshot(uint64_t of, uint64_t sequence) {
    auto i = agents_.find(of);
    if (i == agents_.end())
      return;
    order_.erase(key_of(i->second));
    i->second.snapshot = std::min(sequence, i->second.last);
    keep_if_behind(i);
  }

  /// The agent whose snapshot is the furthest behind; null if none is. Valid until the next change.
  const agent* furthest() const {
    return order_.empty() ? nullptr : &agents_.at(order_.rbegin()->second);
  }

  /// Null if the agent is not behind.
  const agent* find(uint64_t of) const {
    auto i = agents_.find(of);
    return i == agents_.end() ? nullptr : &i->second;
  }

  size_t size() const { return agents_.size(); }

private:
  static std::pair<uint64_t, uint64_t> key_of(const agent& x) { return {x.behind(), x.by.agent}; }

  void keep_if_behind(std::map<uint64_t, agent>::iterator i) {
    if (i->second.last <= i->second.snapshot)
      agents_.erase(i);
    else
      order_.insert(key_of(i->second));
  }

  std::map<uint64_t, agent> agents_;              // by key
  std::set<std::pair<uint64_t, uint64_t>> order_; // how far it is behind, and which agent
};

} // namespace scratchpage
