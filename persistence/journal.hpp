#pragma once

#include <span>

#include <caf/error.hpp>

#include "scratchpage/messages/event.hpp"

namespace scratchpage {

/// Where a page's changes are kept. The page writes first and applies after: a
/// change that is refused here never happened.
class journal {
public:
  virtual ~journal() = default;

  /// Keeps all of `events` or none. Any error makes the page answer
  /// `storage_unavailable`.
  virtual caf::error append(std::span<const page_event> events) = 0;
};

/// Keeps nothing: durability `none`.
class null_journal : public journal {
public:
  caf::error append(std::span<const page_event>) override { return {}; }
};

} // namespace scratchpage
