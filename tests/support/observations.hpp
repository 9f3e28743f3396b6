#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "scratchpage/messages/observation.hpp"

namespace scratchpage::test {

/// The time `ms` milliseconds after the epoch.
inline timestamp at_ms(int64_t ms) {
  return timestamp{std::chrono::milliseconds{ms}};
}

/// Observation `number`, with the required members only. It was created at `number` ms and does
/// not expire while a test runs.
inline observation plain_observation(uint64_t number, std::string content = "something") {
  observation x;
  x.observation_id = "obs_20251105_" + std::to_string(number);
  x.type = "observation";
  x.content = std::move(content);
  x.source = {source_kind::daemon, "probe", "turn_1", at_ms(static_cast<int64_t>(number))};
  x.created_at = x.updated_at = at_ms(static_cast<int64_t>(number));
  x.expires_at = at_ms(1'000'000'000);
  return x;
}

} // namespace scratchpage::test
