#pragma once

#include <memory>
#include <utility>

#include "scratchpage/persistence/goal_store.hpp"
#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

/// Goals as documents of a store: durable when `put` returns.
class kept_goals : public goal_store {
public:
  kept_goals(std::shared_ptr<store> in, const ownership& by)
    : store_{std::move(in)},
      by_{by} {}

  caf::error put(const goal& x) override {
    auto row = to_document(collection::goals, x.goal_id, x);
    return store_->put(by_, {&row, 1});
  }

private:
  std::shared_ptr<store> store_;
  ownership by_;
};

} // namespace scratchpage
