#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/runtime/telemetry/duration_histogram.hpp"

namespace scratchpage::telemetry {

enum class metric_type : uint8_t { counter, gauge, histogram };

/// Names and values of what tells samples of one metric apart.
using labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Writes metrics as Prometheus reads them (text exposition format 0.0.4). Samples of a
/// metric follow its head; names are the caller's to choose well.
class metrics_text {
public:
  static constexpr std::string_view content_type = "text/plain; version=0.0.4; charset=utf-8";

  void head(std::string_view name, metric_type type, std::string_view help);

  void sample(std::string_view name, labels of, double value);
  void sample(std::string_view name, labels of, uint64_t value);

  /// All samples of a histogram, in seconds.
  void samples(std::string_view name, labels of, const duration_histogram& values);

  /// The heads and the one sample of what has no labels.
  void only(std::string_view name, metric_type type, std::string_view help, double value);

  std::string take() { return std::move(text_); }

private:
  void begin(
    std::string_view name, labels of, std::string_view suffix = {}, std::string_view bound = {});

  std::string text_;
};

} // namespace scratchpage::telemetry
