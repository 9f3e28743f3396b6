#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/persistence/memories/memory_purge.hpp"

namespace scratchpage {

/// Limits on an episode, and on answers that have episodes or are made from them.
struct episode_limits {
  static constexpr size_t bytes = size_t{16} << 20;       ///< of one, as JSON and, about, in memory
  static constexpr size_t answer_bytes = size_t{8} << 20; ///< about, of the episodes in an answer
  static constexpr size_t listed_bytes = size_t{32} << 20; ///< about, read for one list of turns
};

/// About how many bytes of memory the episode takes.
size_t memory_of(const episode& x);

/// Removes and counts the observations that do not fit into an episode; none of its observations is
/// null. It first removes observations of others, then those of the ensemble's tools, and last the
/// input of the user and what the ensemble said; within these groups the largest first.
void keep_limits(episode& x);

/// The place where one agent's episodes are kept (contract 9). It belongs to one actor and is not
/// shared between threads.
class episodic_store {
public:
  virtual ~episodic_store() = default;

  /// Keeps an episode. An episode of the same turn is replaced, so recording twice is the same as
  /// once. Null observations are left out. Errors: `invalid_request` without a turn's id,
  /// `storage_unavailable`.
  [[nodiscard]] virtual caf::error record(episode x) = 0;

  /// Returns false to end the reading, which is no error.
  using visitor = std::function<bool(episode&&)>;

  /// Calls `f` with each episode that matches, without a limit. Those that ended last come first,
  /// and of those with equal ends the one that was recorded last. `after` and `before` are
  /// exclusive and compare the end. An episode matches `tags` and `text` if one observation has all
  /// of both. Episodes are read one by one, because each may be large.
  virtual caf::error visit(const query_episodes& what, const visitor& f) const = 0;

  /// The episodes that match, up to the limit and to `episode_limits::answer_bytes`, but at least
  /// one. The cursor names a place in the order: an end, and how many episodes with this end come
  /// before it. Errors: `invalid_request` for a limit outside 1 to 1000 or a bad cursor.
  caf::expected<episode_list> query(const query_episodes& what) const;

  /// Removes the episode of a turn; an unknown turn is ignored. Error: `storage_unavailable`.
  [[nodiscard]] virtual caf::error drop(const std::string& turn_id) = 0;

  /// Removes from all episodes what these observations said.
  virtual void purge(const memory_purge& what) = 0;

  // -- open turns ---------------------------------------------------------------------------

  /// Whether turns that are kept are there in the next process.
  virtual bool outlives_process() const { return false; }

  /// Keeps an open turn until its episode is recorded or it is dropped. A store that does not
  /// outlive the process keeps none. Error: `storage_unavailable`.
  [[nodiscard]] virtual caf::error keep_open(const kept_turn&) { return {}; }

  /// Drops an open turn; an unknown one is ignored. Error: `storage_unavailable`.
  [[nodiscard]] virtual caf::error drop_open(const std::string& /* turn_id */) { return {}; }

  /// The open turns, in the order in which they began. Errors: `storage_unavailable`, `internal` if
  /// one is damaged.
  virtual caf::expected<std::vector<kept_turn>> open_turns() const {
    return std::vector<kept_turn>{};
  }
};

/// Removes null observations and those that do not fit (`keep_limits`). Error: `invalid_request`
/// without a turn's id.
caf::error check_episode(episode& x);

/// Removes the oldest observations if there are more than `most`.
void keep_latest(episode& x, uint64_t most);

/// Whether the episode matches the query.
bool matches(const episode& x, const query_episodes& what);

struct episodic_config {
  /// The most episodes. Beyond any of these bounds the oldest episodes are dropped; the last one
  /// stays.
  uint64_t max_episodes = 10'000;
  /// Observations of all episodes together. An episode that has more alone loses its oldest ones.
  uint64_t max_observations = 200'000;
  /// About how many bytes all episodes may take in a store, with the words that index them.
  uint64_t max_bytes = uint64_t{4} << 30;
  /// About how many bytes of memory they may take if the agent has no store.
  uint64_t max_memory_bytes = uint64_t{256} << 20;

  static constexpr auto fields(auto all) {
    using self = episodic_config;
    return all(optional("max_episodes", &self::max_episodes),
      optional("max_observations", &self::max_observations),
      optional("max_bytes", &self::max_bytes),
      optional("max_memory_bytes", &self::max_memory_bytes));
  }
};

/// Keeps episodes in memory, for as long as this object exists.
class memory_episodic_store : public episodic_store {
public:
  explicit memory_episodic_store(episodic_config config = {})
    : config_{config} {}

  caf::error record(episode x) override;
  caf::error visit(const query_episodes& what, const visitor& f) const override;
  caf::error drop(const std::string& turn_id) override;
  void purge(const memory_purge& what) override;

  uint64_t size() const { return episodes_.size(); }

  /// How many episodes were dropped because there was no room.
  uint64_t dropped() const { return dropped_; }

private:
  /// The end of an episode, and a number that counts the recorded episodes.
  using place = std::pair<timestamp, uint64_t>;

  void forget(place which);
  bool has_room() const;

  episodic_config config_;
  std::map<place, episode> episodes_;
  std::unordered_map<std::string, place, keyed_text_hash, std::equal_to<>> by_turn_;
  uint64_t observations_ = 0; ///< in all episodes
  uint64_t bytes_ = 0;        ///< about, of all episodes in memory
  uint64_t recorded_ = 0;     ///< total
  uint64_t dropped_ = 0;
};

} // namespace scratchpage
