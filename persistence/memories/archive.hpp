#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"

namespace scratchpage {

struct archive_config {
  /// How many observations are kept; beyond it those that left the page first go.
  uint64_t max_observations = 100'000;
  /// About what they may take (observation_size.hpp); beyond, the same.
  uint64_t max_bytes = uint64_t{256} << 20;

  static constexpr auto fields(auto all) {
    return all(optional("max_observations", &archive_config::max_observations),
      optional("max_bytes", &archive_config::max_bytes));
  }
};

/// What left one agent's page: each observation in its last form, with the
/// status `archived`, `expired` or `evicted` (contract 2, 3). Belongs to the
/// page and is not shared between threads.
class archive {
public:
  explicit archive(archive_config config = {})
    : config_{config} {}

  /// Keeps `x`, which left at `left_at`. `number` counts the agent's observations
  /// (the n of the id) and decides the order of those that left at one instant.
  /// What has the same id is replaced; a null `x` is ignored.
  void put(uint64_t number, observation_ptr x, timestamp left_at);

  /// What matches, that which left last first; an empty `status` means any.
  /// `limit` is from 1 to 1000; an answer ends before it when its observations have
  /// `answer_limits::bytes`. `cursor` is "" or a previous `next_cursor`: it
  /// names a place in the order, so pages neither lose nor repeat an entry while
  /// others are put. `query_time_ms` is left to the caller, who has a clock.
  /// Errors: `invalid_request` for a limit or cursor that is none.
  caf::expected<query_result> list(
    const observation_filter& filter, uint32_t limit, std::string_view cursor) const;

  /// The observation with that id, or null.
  observation_ptr find(std::string_view observation_id) const;

  /// It was never here; unknown ids are ignored.
  void forget(std::string_view observation_id);

  uint64_t size() const { return entries_.size(); }

  /// About what they take.
  uint64_t bytes() const { return bytes_; }

  /// How many had to go for want of room.
  uint64_t dropped() const { return dropped_; }

private:
  /// When and which; what left last is greatest.
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
  /// Keys are the ids inside the entries' observations.
  /// A tree and not a table: a large table stops everything while it grows.
  std::map<std::string_view, place> by_id_;
  uint64_t dropped_ = 0;
  uint64_t bytes_ = 0;
};

} // namespace scratchpage
