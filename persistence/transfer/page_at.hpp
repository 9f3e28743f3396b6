#pragma once

#include <cstdint>
#include <functional>
#include <variant>

#include <caf/expected.hpp>

#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// A point in a history: after the change with a sequence, or at a time.
using moment = std::variant<uint64_t, timestamp>;

/// Called with the progress of a long operation.
using progress = std::function<void(uint64_t done, uint64_t total)>;

/// Asked now and then by a long operation; an error ends it and is returned.
using may_go_on = std::function<caf::error()>;

/// A page as it was at some time.
struct historical_page {
  page_state page; ///< without observations that had expired by then
  timestamp at;    ///< the time that was asked for, or the time of the change
};

/// The page of an agent as it was then. It claims and writes nothing. `tell`, which may be empty,
/// is called now and then, and so is `go_on`. Errors: those of the store and of `go_on`;
/// `invalid_request` on `until`, which names the possible range, if the journal begins later or
/// ends earlier; `internal` if the journal is damaged.
caf::expected<historical_page> page_at(store& from, uint64_t agent, const moment& until,
  const progress& tell = {}, const may_go_on& go_on = {});

/// The result of truncating a history.
struct history_cut {
  uint64_t sequence = 0; ///< of the last remaining change
  uint64_t changes = 0;  ///< number of removed changes
};

/// Restores an agent's page, journal and archive to what they were then. Ids that were used later
/// are not used again. Documents stay as they are, because earlier states of goals, facts and
/// episodes are not stored. Errors: those of `page_at`. It makes several writes, so nobody else may
/// read the store meanwhile.
caf::expected<history_cut> truncate_history(store& in, const ownership& by, const moment& until);

} // namespace scratchpage
