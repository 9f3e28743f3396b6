#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/models/chat.hpp"
#include "scratchpage/runtime/telemetry/metrics.hpp"

namespace scratchpage::models {

/// Counts what was asked of models. One object serves all agents of a process. Thread-safe without
/// locks.
class model_metrics {
public:
  /// The daemons that ask; whatever else asks is counted as the last one.
  static constexpr std::array<std::string_view, 6> daemons{
    "router", "clarifier", "error_handler", "evaluator", "reflector", "other"};

  void count(std::string_view daemon, const chat_reply& x, bool by_model, timespan took);

  /// Writes the metrics, if anything was asked.
  void write(telemetry::metrics_text& to) const;

private:
  using number = std::atomic<uint64_t>;

  struct counts {
    std::array<number, enum_names<reply_outcome>.size()> outcomes{};
    number fallbacks{0};
    number prompt_tokens{0};
    number answer_tokens{0};
    number cached_tokens{0};
    telemetry::duration_histogram took;
  };

  std::array<counts, daemons.size()> by_daemon_;
};

} // namespace scratchpage::models
