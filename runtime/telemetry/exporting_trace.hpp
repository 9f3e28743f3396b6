#pragma once

#include <memory>
#include <utility>

#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/runtime/telemetry/otlp_exporter.hpp"

namespace scratchpage::telemetry {

/// Offers what is traced to an exporter, and writes it where it is kept.
class exporting_trace : public trace_sink {
public:
  /// `kept` may be null: then it is kept nowhere.
  exporting_trace(std::shared_ptr<trace_sink> kept, std::shared_ptr<otlp_exporter> to)
    : kept_{std::move(kept)},
      to_{std::move(to)} {}

  void write(trace_entry entry) override {
    to_->offer(entry);
    if (kept_)
      kept_->write(std::move(entry));
  }

  /// Spans hold nothing that would have to be masked.
  bool mask_with(const std::shared_ptr<const pii_masker>& masker) override {
    return !kept_ || kept_->mask_with(masker);
  }

private:
  std::shared_ptr<trace_sink> kept_;
  std::shared_ptr<otlp_exporter> to_;
};

} // namespace scratchpage::telemetry
