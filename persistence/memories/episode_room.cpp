#include "scratchpage/persistence/memories/episode_room.hpp"

namespace scratchpage {

void episode_room::sum::take_away(const episode_size& x) {
  --episodes;
  observations -= x.observations;
  bytes -= x.bytes;
}

void episode_room::put(episode_size x) {
  forget(x.turn_id);
  place here{x.ended_at, ++puts_};
  ++taken_.episodes;
  taken_.observations += x.observations;
  taken_.bytes += x.bytes;
  by_turn_.emplace(x.turn_id, here);
  by_age_.emplace(here, std::move(x));
}

void episode_room::forget(const std::string& turn_id) {
  auto known = by_turn_.find(turn_id);
  if (known == by_turn_.end())
    return;
  auto old = by_age_.find(known->second);
  by_turn_.erase(known);
  taken_.take_away(old->second);
  by_age_.erase(old);
}

bool episode_room::fits(const sum& x) const {
  return x.episodes <= 1
         || (x.episodes <= limits_.max_episodes && x.observations <= limits_.max_observations
             && x.bytes <= limits_.max_bytes);
}

std::vector<std::string> episode_room::too_many(size_t most) const {
  std::vector<std::string> result;
  auto left = taken_;
  for (auto i = by_age_.begin(); !fits(left) && result.size() < most; ++i) {
    result.push_back(i->second.turn_id);
    left.take_away(i->second);
  }
  return result;
}

} // namespace scratchpage
