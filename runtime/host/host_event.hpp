#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// What happens in a host and somebody who runs it may want to know.
enum class host_event_kind : uint8_t {
  agent_opened,     ///< it was recovered and answers
  agent_not_opened, ///< its data could not be recovered
  storage_failed,   ///< changes are refused from now on
  storage_works,    ///< again
  agent_lost,       ///< another process has it now; it is opened again when it is asked for
  storage_doubtful, ///< something may be missing that nobody can tell
};

template <>
inline constexpr std::array<std::string_view, 6> enum_names<host_event_kind>{"agent_opened",
  "agent_not_opened", "storage_failed", "storage_works", "agent_lost", "storage_doubtful"};

struct host_event {
  host_event_kind kind;
  std::string agent_id = {}; ///< "" if it concerns all
  timespan took = {};        ///< the opening of an agent
  std::string problem = {};  ///< for people: an error, or what recovery had to cut off
};

/// Called from any thread, and from several at once; must not wait for the host.
using on_host_event = std::function<void(const host_event&)>;

} // namespace scratchpage
