#include "scratchpage/persistence/memories/episodic_store.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/filter_match.hpp"
#include "scratchpage/messages/query_limit.hpp"
#include "scratchpage/messages/text/word_set.hpp"
#include "scratchpage/persistence/memories/episode_limits.hpp"

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
  keep_limits(x);
  return {};
}

void keep_latest(episode& x, uint64_t most) {
  if (x.observations.size() > most)
    x.observations.erase(x.observations.begin(), x.observations.end() - static_cast<int64_t>(most));
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

caf::expected<episode_list> episodic_store::query(const query_episodes& what) const {
  if (auto err = check_limit(what.limit))
    return err;
  episode_list result;
  size_t bytes = 0;
  auto err = visit(what, [&](episode&& x) {
    bytes += memory_of(x);
    if (bytes > episode_limits::answer_bytes && !result.episodes.empty())
      return false;
    result.episodes.push_back(std::move(x));
    return result.episodes.size() < what.limit;
  });
  if (err)
    return err;
  return result;
}

caf::error memory_episodic_store::record(episode x) {
  if (auto err = check_episode(x))
    return err;
  keep_latest(x, config_.max_observations);
  if (auto known = by_turn_.find(x.turn_id); known != by_turn_.end())
    forget(known->second);
  place here{x.ended_at, ++recorded_};
  observations_ += x.observations.size();
  bytes_ += memory_of(x);
  by_turn_.emplace(x.turn_id, here);
  episodes_.emplace(here, std::move(x));
  while (!has_room()) {
    forget(episodes_.begin()->first);
    ++dropped_;
  }
  return {};
}

bool memory_episodic_store::has_room() const {
  return episodes_.size() <= 1
         || (episodes_.size() <= config_.max_episodes && observations_ <= config_.max_observations
             && bytes_ <= config_.max_memory_bytes);
}

void memory_episodic_store::forget(place which) {
  auto old = episodes_.find(which);
  observations_ -= old->second.observations.size();
  bytes_ -= memory_of(old->second);
  by_turn_.erase(old->second.turn_id);
  episodes_.erase(old);
}

caf::error memory_episodic_store::visit(const query_episodes& what, const visitor& f) const {
  for (auto i = episodes_.rbegin(); i != episodes_.rend(); ++i)
    if (matches(i->second, what) && !f(episode{i->second}))
      break;
  return {};
}

void memory_episodic_store::purge(const memory_purge& what) {
  for (auto& [here, x] : episodes_) {
    bytes_ -= memory_of(x);
    what.purge(x);
    bytes_ += memory_of(x);
  }
}

} // namespace scratchpage
