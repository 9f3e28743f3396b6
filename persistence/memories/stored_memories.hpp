#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// How much one episode takes; stored beside the episode.
struct episode_size {
  std::string turn_id;
  timestamp ended_at;
  uint64_t observations = 0;
  uint64_t bytes = 0; ///< about, with the terms that index it

  static constexpr auto fields(auto all) {
    using self = episode_size;
    return all(required("turn_id", &self::turn_id), required("ended_at", &self::ended_at),
      required("observations", &self::observations), required("bytes", &self::bytes));
  }
};

/// Counts how much all episodes of a store take, and decides which of them are dropped.
class episode_room {
public:
  explicit episode_room(const episodic_config& limits)
    : limits_{limits} {}

  /// Adds an episode; the earlier size for the same turn is replaced.
  void put(episode_size x);

  /// Removes an episode; an unknown turn is ignored.
  void forget(const std::string& turn_id);

  /// At most `most` turns whose episodes have to be dropped so that the others fit, the oldest
  /// first. The last episode stays, whatever it takes.
  std::vector<std::string> too_many(size_t most) const;

  uint64_t episodes() const { return by_age_.size(); }
  uint64_t bytes() const { return taken_.bytes; }

private:
  /// The end of the episode, and a number that counts the calls of `put`.
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

/// Episodes as documents of a store, which finds them by turn, time, tags and words; none of them
/// is in memory. An episode is indexed by its first 20 000 different words and tags. When there is
/// no room, the oldest are dropped. The size of each is a document of its own, so that an agent
/// starts without reading the episodes.
class stored_episodes : public episodic_store {
public:
  /// Opens the episodes and drops those for which there is no room. Errors: as `read_all`.
  static caf::expected<std::shared_ptr<stored_episodes>> open(
    std::shared_ptr<store> in, const ownership& by, const episodic_config& limits = {});

  caf::error record(episode x) override;
  caf::error visit(const query_episodes& what, const visitor& f) const override;
  caf::error drop(const std::string& turn_id) override;
  /// Does nothing: no episode is in memory, and the housekeeping purges the documents.
  void purge(const memory_purge&) override {}

  bool outlives_process() const override { return true; }
  caf::error keep_open(const kept_turn& x) override;
  caf::error drop_open(const std::string& turn_id) override;
  caf::expected<std::vector<kept_turn>> open_turns() const override;

private:
  stored_episodes(std::shared_ptr<store> in, const ownership& by, const episodic_config& limits);

  caf::error move_first_form();
  caf::error take_stock();
  caf::error measure(const std::vector<std::string>& turns);
  caf::error drop_what_has_no_room();
  caf::error put_in_parts(const std::vector<document>& rows);
  caf::error put_with_ended(std::vector<document> rows);

  std::shared_ptr<store> store_;
  ownership by_;
  episodic_config limits_;
  episode_room room_;
  std::set<std::string> ended_; ///< turns that have ended, and may be kept as open
  bool is_in_doubt_ = false;    ///< whether the store may have other episodes than `room_`
};

/// An episode as a document, with the terms that index it.
document to_story(const episode& x);

/// Facts as documents of a store. What was learnt is durable when `learn` answers. If the store
/// refuses it, it was not learnt.
class stored_facts : public semantic_store {
public:
  /// Reads the facts. It cuts facts that are longer than their limits and drops those for which
  /// there is no room, in the store, too. Errors: as `read_all`.
  static caf::expected<std::shared_ptr<stored_facts>> open(
    std::shared_ptr<store> in, const ownership& by, semantic_config config);

  caf::expected<fact> learn(const fact_lesson& x, timestamp now, uint64_t lesson) override;
  uint64_t last_lesson() const override { return known_.last_lesson(); }
  uint64_t last_number() const override { return known_.last_number(); }
  void go_on_after(uint64_t number) override { known_.go_on_after(number); }
  bool is_in_doubt() const override { return !doubtful_.empty(); }
  caf::expected<fact_list> query(const query_facts& what) const override;
  const fact* find_id(const std::string& fact_id) const override { return known_.find_id(fact_id); }
  std::optional<fact> find(std::string_view statement) const override {
    return known_.find(statement);
  }
  caf::error put(const fact& x) override;
  caf::error drop(const std::string& fact_id) override;
  caf::error purge(const memory_purge& what) override;

private:
  stored_facts(std::shared_ptr<store> in, const ownership& by, semantic_config config);

  void restore(fact x);
  caf::error drop_what_has_no_room();
  document row_of(const std::string& fact_id) const;
  document lesson_row() const;
  uint64_t add_counter(std::vector<document>& to) const;
  caf::error write(std::vector<document> rows);

  std::shared_ptr<store> store_;
  ownership by_;
  std::vector<std::string> dropped_; // ids of facts that the current lesson has dropped
  std::set<std::string> shortened_;  // while the store is read: ids of facts that were cut
  /// Ids of facts that may be different in the store: it refused them, but may have written them
  /// before it failed. The next write stores them as they are here.
  std::set<std::string> doubtful_;
  uint64_t last_removed_ = 0; ///< the highest number of a removed fact, as it is stored
  memory_semantic_store known_;
};

} // namespace scratchpage
