#pragma once

#include <memory>
#include <span>

#include <caf/actor_system.hpp>

#include "scratchpage/messages/handles.hpp"

namespace scratchpage::test {

/// Replaces a journal in tests. The test defines what `append` does; documents are always stored.
class journal_double {
public:
  virtual ~journal_double() = default;

  /// Stores all events; if it returns an error, it has stored none.
  virtual caf::error append(std::span<const page_event> events) = 0;
};

/// Spawns a journal actor that answers as the double does.
journal_actor spawn_journal(caf::actor_system& sys, std::shared_ptr<journal_double> as);

} // namespace scratchpage::test
