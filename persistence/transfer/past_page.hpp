#pragma once

#include <cstdint>
#include <functional>
#include <variant>

#include <caf/expected.hpp>

#include "scratchpage/persistence/store/page_state.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Until when a history counts: up to a change, that one included, or up to a
/// time, with all that had happened by then.
using moment = std::variant<uint64_t, timestamp>;

/// How far a long work is, of how much.
using progress = std::function<void(uint64_t done, uint64_t total)>;

/// A page as it was, and when.
struct past_page {
  page_state page; ///< without what had expired by then, even if nobody had noticed
  timestamp at;    ///< the time that was asked for, or that of the change
};

/// What was on an agent's page then. Nothing is claimed and nothing written.
/// `tell`, which may be empty, is called now and then. Errors: those of the
/// store; `invalid_request` on `until`, which names what is possible, if the
/// journal begins later or ends before; `internal` if it is damaged.
caf::expected<past_page> page_at(
  store& from, uint64_t agent, const moment& until, const progress& tell = {});

} // namespace scratchpage
