#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/observation.hpp"

/// Short functions that create values for tests.

namespace scratchpage::test {

/// The time `seconds` seconds after 2025-11-05T10:00:00Z.
inline timestamp at(int64_t seconds) {
  return *from_rfc3339("2025-11-05T10:00:00Z") + std::chrono::seconds{seconds};
}

/// An observation by the user alice. A test changes the members that matter to it.
inline observation sample(std::string id, std::string content = "something") {
  observation result;
  result.observation_id = std::move(id);
  result.type = "observation";
  result.content = std::move(content);
  result.source.kind = source_kind::user;
  result.source.name = "alice";
  result.source.turn_id = "turn_1";
  result.created_at = result.updated_at = result.source.at = at(0);
  result.expires_at = at(7 * 24 * 3600);
  return result;
}

inline observation tagged(std::string id, std::vector<std::string> tags) {
  auto result = sample(std::move(id));
  result.tags = std::move(tags);
  return result;
}

inline observation_ptr shared(observation x) {
  return observation_ptr{std::move(x)};
}

/// The ids of a list in order, as "obs_1 obs_2".
template <class List>
std::string ids(const List& xs) {
  std::string result;
  for (const auto& x : xs)
    result += (result.empty() ? "" : " ") + x->observation_id;
  return result;
}

inline std::string turns(const episode_list& xs) {
  std::string result;
  for (const auto& x : xs.episodes)
    result += (result.empty() ? "" : " ") + x.turn_id;
  return result;
}

inline std::string statements(const fact_list& xs) {
  std::string result;
  for (const auto& x : xs.facts)
    result += (result.empty() ? "" : ", ") + x.statement;
  return result;
}

} // namespace scratchpage::test
