#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/persistence/store/store.hpp"

/// A part of the list of all agents, of which there may be a million.

namespace scratchpage::server {

struct agent_list_limits {
  static constexpr uint64_t ids = 1'000;        ///< in one answer
  static constexpr uint64_t looked_at = 10'000; ///< for one answer, those left out included
};

/// The query string of `/v1/agents`.
struct agent_list_order {
  bool in_detail = false; ///< whether the caller wants the figures of agents, too
  uint64_t limit = agent_list_limits::ids;
  std::string after; ///< the id behind which the part begins
};

struct agent_list {
  std::vector<std::string> ids; ///< in bytewise order
  std::string next_cursor;      ///< "" if these are the last ones
};

/// The error if the caller may not use an agent; empty: it may use all.
using agent_check = std::function<caf::error(const std::string& agent_id)>;

caf::expected<agent_list_order> read_list_order(std::string_view query);

/// Lists agents that the caller may use. Of many that it may not use, it looks at some, and the
/// next part continues behind them; so a part may be short although there are more.
caf::expected<agent_list> list_some(
  store& in, const agent_list_order& which, const agent_check& check);

} // namespace scratchpage::server
