#include "scratchpage/persistence/episodic_store.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/filter_match.hpp"
#include "scratchpage/persistence/query_limit.hpp"
#include "scratchpage/persistence/word_set.hpp"

namespace scratchpage {

namespace {

bool has_words(const observation& x, std::span<const std::string> words) {
  return words.empty() || count_shared(word_set_of(x.content), words) == words.size();
}

} // namespace

caf::error check_episode(episode& x) {
  if (x.turn_id.empty())
    return fail(errc::invalid_request, "episode.turn_id", "the id of a turn");
  std::erase_if(x.observations, [](const auto& one) { return !one; });
  return {};
}

bool matches(const episode& x, const query_episodes& what) {
  if ((!what.turn_id.empty() && x.turn_id != what.turn_id)
      || (what.after && x.ended_at <= *what.after) || (what.before && x.ended_at >= *what.before))
    return false;
  auto words = word_set_of(what.text);
  if (what.tags.empty() && words.empty())
    return true;
  auto is_meant = [&](const auto& one) {
    return has_all_tags(one->tags, what.tags) && has_words(*one, words);
  };
  return std::any_of(x.observations.begin(), x.observations.end(), is_meant);
}

caf::error memory_episodic_store::record(episode x) {
  if (auto err = check_episode(x))
    return err;
  if (auto excess = static_cast<int64_t>(x.observations.size() - config_.max_observations);
      excess > 0)
    x.observations.erase(x.observations.begin(), x.observations.begin() + excess);
  if (auto known = by_turn_.find(x.turn_id); known != by_turn_.end())
    forget(known->second);
  place here{x.ended_at, ++recorded_};
  observations_ += x.observations.size();
  by_turn_.emplace(x.turn_id, here);
  episodes_.emplace(here, std::move(x));
  while (episodes_.size() > config_.max_episodes || observations_ > config_.max_observations) {
    forget(episodes_.begin()->first);
    ++dropped_;
  }
  return {};
}

void memory_episodic_store::forget(place which) {
  auto old = episodes_.find(which);
  observations_ -= old->second.observations.size();
  by_turn_.erase(old->second.turn_id);
  episodes_.erase(old);
}

caf::expected<episode_list> memory_episodic_store::query(const query_episodes& what) const {
  if (auto err = check_limit(what.limit))
    return err;
  episode_list result;
  auto i = episodes_.rbegin();
  for (; i != episodes_.rend() && result.episodes.size() < what.limit; ++i)
    if (matches(i->second, what))
      result.episodes.push_back(i->second);
  return result;
}

void memory_episodic_store::purge(const purger& what) {
  for (auto& [here, x] : episodes_)
    what.purge(x);
}

} // namespace scratchpage
