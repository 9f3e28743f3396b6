#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "scratchpage/persistence/memories/goal_store.hpp"
#include "scratchpage/persistence/store/document_writer.hpp"
#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

/// Goals as documents of a store: durable when `put` returns.
class kept_goals : public goal_store {
public:
  /// `goals` are those that the store has.
  kept_goals(std::shared_ptr<store> in, const ownership& by, const std::vector<goal>& goals)
    : writer_{std::move(in), by} {
    for (const auto& x : goals)
      writer_.remember(to_document(collection::goals, x.goal_id, x));
  }

  caf::error put(const goal& x) override {
    return writer_.put({to_document(collection::goals, x.goal_id, x)});
  }

private:
  document_writer writer_;
};

} // namespace scratchpage
