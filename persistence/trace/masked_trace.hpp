#pragma once

#include <memory>
#include <utility>

#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/persistence/trace/trace_text.hpp"

namespace scratchpage {

/// Passes entries on with the personal data in their details masked. Names of
/// callers, components and operations stay, as do ids.
class masked_trace : public trace_sink {
public:
  /// Neither is null.
  masked_trace(std::shared_ptr<trace_sink> next, std::shared_ptr<const pii_masker> masker)
    : next_{std::move(next)},
      masker_{std::move(masker)} {}

  void write(trace_entry entry) override {
    complete(entry);
    masker_->mask(entry.detail);
    next_->write(std::move(entry));
  }

private:
  std::shared_ptr<trace_sink> next_;
  std::shared_ptr<const pii_masker> masker_;
};

} // namespace scratchpage
