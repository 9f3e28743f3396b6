#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/text/keyed_hash.hpp"
#include "scratchpage/persistence/memories/memory_purge.hpp"

namespace scratchpage {

/// Where one agent's episodes are kept (contract 9). Belongs to one actor and is
/// not shared between threads.
class episodic_store {
public:
  virtual ~episodic_store() = default;

  /// Keeps what happened in a turn; a turn that is there already is replaced, so
  /// recording twice is the same as once. Null observations are left out. Errors: `invalid_request`
  /// without a turn's id, `storage_unavailable`.
  [[nodiscard]] virtual caf::error record(episode x) = 0;

  /// False ends the reading; it is then no error.
  using visitor = std::function<bool(episode&&)>;

  /// Calls `f` with the episodes that match, whatever the limit, those that ended last
  /// first; of equal ones that recorded last. `after` and `before` are about the end and
  /// exclusive; an episode matches `tags` and `text` if one observation has them all, both
  /// at once. They come one by one, since each may be large.
  virtual caf::error visit(const query_episodes& what, const visitor& f) const = 0;

  /// The same up to the limit, and up to `episode_limits::answer_bytes`, but one at least.
  /// Errors: `invalid_request` for a limit outside 1 to 1000.
  caf::expected<episode_list> query(const query_episodes& what) const;

  /// Nothing that is found any more says what these observations said.
  virtual void purge(const memory_purge& what) = 0;
};

/// Leaves out null observations, and those that are too much (`keep_limits`). Error:
/// `invalid_request` without a turn's id.
caf::error check_episode(episode& x);

/// Leaves out the oldest observations if there are more than `most`.
void keep_latest(episode& x, uint64_t most);

/// Whether it is what a query asks for.
bool matches(const episode& x, const query_episodes& what);

struct episodic_config {
  /// Bounds on what is kept; the oldest episodes leave first, and the last one stays.
  uint64_t max_episodes = 10'000;
  /// Over all episodes. One that has more by itself loses its oldest ones.
  uint64_t max_observations = 200'000;
  /// About what all of them may take in a store, with the words that they are found by.
  uint64_t max_bytes = uint64_t{4} << 30;
  /// About what they may take in memory, of an agent that has no store.
  uint64_t max_memory_bytes = uint64_t{256} << 20;

  static constexpr auto fields(auto all) {
    using self = episodic_config;
    return all(optional("max_episodes", &self::max_episodes),
      optional("max_observations", &self::max_observations),
      optional("max_bytes", &self::max_bytes),
      optional("max_memory_bytes", &self::max_memory_bytes));
  }
};

/// Keeps episodes in memory, for as long as the process runs.
class memory_episodic_store : public episodic_store {
public:
  explicit memory_episodic_store(episodic_config config = {})
    : config_{config} {}

  caf::error record(episode x) override;
  caf::error visit(const query_episodes& what, const visitor& f) const override;
  void purge(const memory_purge& what) override;

  uint64_t size() const { return episodes_.size(); }

  /// How many episodes had to go for want of room.
  uint64_t dropped() const { return dropped_; }

private:
  /// When it ended and as the how-many-eth it was recorded.
  using place = std::pair<timestamp, uint64_t>;

  void forget(place which);
  bool has_room() const;

  episodic_config config_;
  std::map<place, episode> episodes_;
  std::unordered_map<std::string, place, keyed_text_hash, std::equal_to<>> by_turn_;
  uint64_t observations_ = 0; ///< in all episodes
  uint64_t bytes_ = 0;        ///< about, that they take
  uint64_t recorded_ = 0;     ///< so far
  uint64_t dropped_ = 0;
};

} // namespace scratchpage
