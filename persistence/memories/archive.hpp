#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include <caf/expected.hpp>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

struct archive_config {
  /// The most observations; beyond it, those that left the page first are dropped.
  uint64_t max_observations = 100'000;
  /// About the most memory in bytes; beyond it, the same.
  uint64_t max_bytes = uint64_t{256} << 20;

  static constexpr auto fields(auto all) {
    return all(optional("max_observations", &archive_config::max_observations),
      optional("max_bytes", &archive_config::max_bytes));
  }
};

/// The observations that left one agent's page, in memory: each in its last form, with the status
/// `archived`, `expired` or `evicted` (contract 2, 3). It belongs to the page and is not shared
/// between threads.
class archive {
public:
  explicit archive(archive_config config = {})
    : config_{config} {}

  /// Adds `x`, which left the page at `left_at`. `number` is the n of its id and decides the order
  /// of observations that left at the same time. An observation with the same id is replaced; a
  /// null `x` is ignored.
  void put(uint64_t number, observation_ptr x, timestamp left_at);

  /// The observations that match; those that left last come first. An empty `status` means any.
  /// `limit` is from 1 to 1000; an answer ends earlier when its observations have
  /// `answer_limits::bytes`. `cursor` is "" or an earlier `next_cursor`. It names a place in the
  /// order, so that paging neither loses nor repeats an observation while others are added. The
  /// caller sets `query_time_ms`, because it has a clock. Errors: `invalid_request` for a bad limit
  /// or cursor.
  caf::expected<query_result> list(
    const observation_filter& filter, uint32_t limit, std::string_view cursor) const;

  /// The observation with that id, or null.
  observation_ptr find(std::string_view observation_id) const;

  /// Removes the observation with that id; an unknown id is ignored.
  void forget(std::string_view observation_id);

  /// Calls `f(observation, left_at)` for each, those that left the page first come first.
  template <class F>
  void for_each(F f) const {
    for (const auto& [at, x] : entries_)
      f(*x, at.left_at);
  }

  uint64_t size() const { return entries_.size(); }

  /// About how many bytes of memory the observations take.
  uint64_t bytes() const { return bytes_; }

  /// How many observations were dropped because there was no room.
  uint64_t dropped() const { return dropped_; }

private:
  /// The place of an observation in the order. The one that left last has the greatest place.
  struct place {
    timestamp left_at;
    uint64_t number = 0;

    auto operator<=>(const place&) const = default; // NOLINT(modernize-use-nullptr)
  };

  static std::string to_cursor(const place& x);
  static caf::expected<place> from_cursor(std::string_view cursor);
  void drop(std::map<place, observation_ptr>::iterator at);

  archive_config config_;
  std::map<place, observation_ptr> entries_;
  /// The keys point to the ids inside the observations. It is a tree and not a hash table, because
  /// a large table stops everything while it grows.
  std::map<std::string_view, place> by_id_;
  uint64_t dropped_ = 0;
  uint64_t bytes_ = 0;
};

/// The observations that left one agent's page, in its store: all of them, however long ago.
class stored_archive {
public:
  stored_archive(
    std::shared_ptr<store> in, uint64_t agent, std::shared_ptr<const scratchpage::clock> clock)
    : store_{std::move(in)},
      agent_{agent},
      clock_{std::move(clock)} {}

  /// As `archive::list`, but it examines at most the numbers below. If the answer would need more,
  /// it is partial: its total counts the observations that were examined, and its cursor continues
  /// after them. Errors: `invalid_request` for a bad limit or cursor, those of the store,
  /// `internal` for a damaged row.
  caf::expected<query_result> list(
    const observation_filter& filter, uint32_t limit, std::string_view cursor) const;

  static constexpr uint64_t max_looked_at = 200'000;        ///< observations
  static constexpr uint64_t max_bytes = uint64_t{32} << 20; ///< of observations as they are stored
  static constexpr double max_ms = 1'000;                   ///< time

private:
  std::shared_ptr<store> store_;
  uint64_t agent_;
  std::shared_ptr<const scratchpage::clock> clock_;
};

} // namespace scratchpage
