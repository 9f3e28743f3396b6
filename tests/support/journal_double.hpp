#pragma once

#include <memory>
#include <span>

#include <caf/actor_system.hpp>

#include "scratchpage/messages/handles.hpp"

namespace scratchpage::test {

/// What a journal does in a test; documents are always kept.
class journal_double {
public:
  virtual ~journal_double() = default;

  /// Keeps all of them or, with the error, none.
  virtual caf::error append(std::span<const page_event> events) = 0;
};

/// An actor that does as the double says.
journal_actor spawn_journal(caf::actor_system& sys, std::shared_ptr<journal_double> as);

} // namespace scratchpage::test
