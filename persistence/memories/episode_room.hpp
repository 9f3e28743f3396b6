#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"

namespace scratchpage {

/// What one kept episode takes; it is written down beside the episode.
struct episode_size {
  std::string turn_id;
  timestamp ended_at;
  uint64_t observations = 0;
  uint64_t bytes = 0; ///< about, with the terms that it is found by

  static constexpr auto fields(auto all) {
    using self = episode_size;
    return all(required("turn_id", &self::turn_id), required("ended_at", &self::ended_at),
      required("observations", &self::observations), required("bytes", &self::bytes));
  }
};

/// What all episodes of a store take together, and which of them have to go.
class episode_room {
public:
  explicit episode_room(const episodic_config& limits)
    : limits_{limits} {}

  /// Takes the place of what was known of the same turn.
  void put(episode_size x);

  /// An unknown turn is ignored.
  void forget(const std::string& turn_id);

  /// The turns whose episodes have to go so that all others fit, the oldest first: at most `most`
  /// of them. The last one stays, whatever it takes.
  std::vector<std::string> too_many(size_t most) const;

  uint64_t episodes() const { return by_age_.size(); }
  uint64_t bytes() const { return taken_.bytes; }

private:
  /// When it ended, and as the how-many-eth it was put.
  using place = std::pair<timestamp, uint64_t>;

  struct sum {
    uint64_t episodes = 0;
    uint64_t observations = 0;
    uint64_t bytes = 0;

    void take_away(const episode_size& x);
  };

  bool fits(const sum& x) const;

  episodic_config limits_;
  std::map<place, episode_size> by_age_;
  std::map<std::string, place> by_turn_;
  sum taken_;
  uint64_t puts_ = 0;
};

} // namespace scratchpage
