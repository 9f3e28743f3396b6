#include "scratchpage/persistence/memories/episodic_store.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/text/tokens.hpp"

namespace scratchpage {

namespace {

/// The JSON of an observation has at most so many bytes for each byte in memory: a text is at most
/// six times as long, and the names of members are covered by what an observation takes beside its
/// texts.
constexpr size_t max_json_per_byte = 8;

size_t size_of(const observation& x) {
  return std::max(to_json_text(x).size(), memory_of(x));
}

/// How important an observation is for understanding the turn; 0 is the most important. 0: the
/// input and what the ensemble said. 1: what its tools said (tools from outside belong to no turn).
/// 2: all others.
int rank_of(const observation& x) {
  if (x.type == "user_input"
      || (x.source.kind == source_kind::daemon && is_component(x.source.name)))
    return 0;
  return is_from_tool(x) && !x.source.turn_id.empty() ? 1 : 2;
}

/// An observation that may stay in the episode. Those that come first in the order stay.
struct candidate {
  int rank;
  size_t bytes;
  size_t place;

  auto order() const { return std::tie(rank, bytes, place); }
};

std::vector<candidate> candidates_of(const episode& x) {
  std::vector<candidate> result;
  for (size_t i = 0; i < x.observations.size(); ++i) {
    const auto& one = *x.observations[i];
    result.push_back({rank_of(one), size_of(one), i});
  }
  std::sort(result.begin(), result.end(),
    [](const candidate& a, const candidate& b) { return a.order() < b.order(); });
  return result;
}

/// A place in the order of episodes: after `count` of those with that end.
struct episode_place {
  std::optional<timestamp> ended_at; ///< in whole milliseconds; nothing: the beginning
  uint64_t count = 0;
};

std::string to_cursor(const episode_place& x) {
  return std::to_string(x.ended_at->time_since_epoch() / std::chrono::milliseconds{1}) + "."
         + std::to_string(x.count);
}

caf::expected<episode_place> place_from(std::string_view cursor) {
  if (cursor.empty())
    return episode_place{};
  constexpr int64_t latest = INT64_MAX / 1'000'000 - 1; // in nanoseconds it is a timestamp
  int64_t ended_at = 0;
  uint64_t count = 0;
  const auto* end = cursor.data() + cursor.size();
  auto first = std::from_chars(cursor.data(), end, ended_at);
  auto is_good = first.ec == std::errc{} && first.ptr != end && *first.ptr == '.' && ended_at >= 0
                 && ended_at <= latest;
  if (is_good) {
    auto second = std::from_chars(first.ptr + 1, end, count);
    is_good = second.ec == std::errc{} && second.ptr == end;
  }
  if (!is_good)
    return fail(errc::invalid_request, "cursor", "expected the next_cursor of an earlier answer");
  return episode_place{timestamp{std::chrono::milliseconds{ended_at}}, count};
}

bool has_words(const observation& x, std::span<const std::string> words) {
  return words.empty() || count_shared(word_set_of(x.content), words) == words.size();
}

} // namespace

size_t memory_of(const episode& x) {
  auto result = sizeof(episode);
  for (const auto& one : x.observations)
    result += memory_of(*one);
  return result;
}

void keep_limits(episode& x) {
  if (memory_of(x) <= episode_limits::bytes / max_json_per_byte)
    return;
  size_t bytes = 0;
  auto is_too_much = false;
  for (const auto& one : candidates_of(x)) {
    bytes += one.bytes;
    is_too_much = is_too_much || bytes > episode_limits::bytes;
    if (is_too_much) {
      x.observations[one.place] = observation_ptr{};
      ++x.left_out;
    }
  }
  std::erase_if(x.observations, [](const observation_ptr& one) { return !one; });
}

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
  auto from = place_from(what.cursor);
  if (!from)
    return from.error();
  auto range = what;
  if (from->ended_at && (!what.before || *from->ended_at < *what.before))
    range.before = *from->ended_at + std::chrono::milliseconds{1};
  episode_list result;
  size_t bytes = 0;
  auto at = *from;
  auto skip = from->count;
  auto err = visit(range, [&](episode&& x) {
    auto ended_at = to_milliseconds(x.ended_at);
    if (skip > 0 && ended_at == from->ended_at) {
      --skip;
      return true;
    }
    bytes += memory_of(x);
    auto is_full = result.episodes.size() == what.limit || bytes > episode_limits::answer_bytes;
    if (is_full && !result.episodes.empty()) {
      result.next_cursor = to_cursor(at);
      return false;
    }
    at.count = at.ended_at == ended_at ? at.count + 1 : 1;
    at.ended_at = ended_at;
    result.episodes.push_back(std::move(x));
    return true;
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

caf::error memory_episodic_store::drop(const std::string& turn_id) {
  if (auto known = by_turn_.find(turn_id); known != by_turn_.end())
    forget(known->second);
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
