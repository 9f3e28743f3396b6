#pragma once

#include <memory>
#include <string_view>

#include "scratchpage/messages/query.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// What left one agent's page, as its store has it: all of it, however long ago.
class kept_archive {
public:
  kept_archive(std::shared_ptr<store> in, uint64_t agent)
    : store_{std::move(in)},
      agent_{agent} {}

  /// As `archive::list`. Looks at so many observations and no more: an answer
  /// that would need more is partial, and its total counts those looked at.
  /// Errors: `invalid_request` for a limit or cursor that is none, those of the
  /// store, `internal` for what is damaged.
  caf::expected<query_result> list(
    const observation_filter& filter, uint32_t limit, std::string_view cursor) const;

  static constexpr uint64_t most_looked_at = 200'000;

private:
  std::shared_ptr<store> store_;
  uint64_t agent_;
};

} // namespace scratchpage
