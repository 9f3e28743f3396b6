#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// What left one agent's page, as its store has it: all of it, however long ago.
class kept_archive {
public:
  kept_archive(
    std::shared_ptr<store> in, uint64_t agent, std::shared_ptr<const scratchpage::clock> clock)
    : store_{std::move(in)},
      agent_{agent},
      clock_{std::move(clock)} {}

  /// As `archive::list`. It looks at so many observations, at so many bytes of them and for so
  /// long, and no more: an answer that would need more is partial, its total counts those looked
  /// at, and its cursor goes on behind them. Errors: `invalid_request` for a limit or cursor that
  /// is none, those of the store, `internal` for what is damaged.
  caf::expected<query_result> list(
    const observation_filter& filter, uint32_t limit, std::string_view cursor) const;

  static constexpr uint64_t most_looked_at = 200'000;
  static constexpr uint64_t most_bytes = uint64_t{32} << 20; ///< as they are stored
  static constexpr double most_ms = 1'000;

private:
  std::shared_ptr<store> store_;
  uint64_t agent_;
  std::shared_ptr<const scratchpage::clock> clock_;
};

} // namespace scratchpage
