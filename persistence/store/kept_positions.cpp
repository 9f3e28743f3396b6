#include "scratchpage/persistence/store/kept_positions.hpp"

#include <utility>

namespace scratchpage {

void kept_positions::restore(const std::vector<kept_position>& known) {
  for (const auto& x : known)
    known_.emplace(x.name, x);
}

bool kept_positions::has_room_for(const std::string& name) const {
  return known_.size() < most_ || known_.contains(name);
}

std::optional<kept_position> kept_positions::find(const std::string& name) const {
  auto i = known_.find(name);
  if (i == known_.end())
    return std::nullopt;
  return i->second;
}

void kept_positions::note(kept_position now) {
  auto& known = known_[now.name];
  if (known.sequence == now.sequence && known.epoch == now.epoch && !known.name.empty())
    return;
  changed_.insert(now.name);
  known = std::move(now);
}

void kept_positions::forget(const std::string& name) {
  if (known_.erase(name) > 0)
    changed_.insert(name);
}

std::vector<kept_document> kept_positions::take_changed() {
  std::vector<kept_document> result;
  for (const auto& name : std::exchange(changed_, {})) {
    auto known = known_.find(name);
    result.push_back({std::string{collection::positions}, name,
      known == known_.end() ? "" : to_json_text(known->second)});
  }
  return result;
}

void kept_positions::put_back(const std::vector<kept_document>& refused) {
  for (const auto& x : refused)
    changed_.insert(x.key);
}

} // namespace scratchpage
