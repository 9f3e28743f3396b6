#include "scratchpage/runtime/telemetry/operation_metrics.hpp"

#include <algorithm>
#include <utility>

namespace scratchpage::telemetry {

namespace {

constexpr std::string_view calls = "scratchpage_operations_total";
constexpr std::string_view durations = "scratchpage_operation_duration_seconds";

std::string_view outcome(size_t how) {
  return how == 0 ? std::string_view{"ok"} : enum_names<errc>[how];
}

} // namespace

operation_metrics::operation_metrics(std::vector<std::string_view> names)
  : names_{std::move(names)} {
  for (size_t i = 0; i <= names_.size(); ++i)
    by_operation_.push_back(std::make_unique<counts>());
}

begun_call operation_metrics::begin(std::string_view operation) const {
  auto at = std::find(names_.begin(), names_.end(), operation);
  return {static_cast<size_t>(at - names_.begin()), std::chrono::steady_clock::now()};
}

void operation_metrics::end(const begun_call& x, errc how) {
  auto& to = *by_operation_[x.operation];
  to.ended[static_cast<size_t>(how)].fetch_add(1, std::memory_order_relaxed);
  to.took.add(std::chrono::steady_clock::now() - x.at);
}

void operation_metrics::write(metrics_text& to) const {
  auto name_at = [this](size_t i) {
    return i < names_.size() ? names_[i] : std::string_view{"unknown"};
  };
  to.head(calls, metric_type::counter, "Calls of operations that have ended.");
  for (size_t i = 0; i < by_operation_.size(); ++i)
    for (size_t how = 0; how < by_operation_[i]->ended.size(); ++how)
      if (auto count = by_operation_[i]->ended[how].load(std::memory_order_relaxed); count > 0)
        to.sample(calls, {{"operation", name_at(i)}, {"outcome", outcome(how)}}, count);
  to.head(durations, metric_type::histogram, "From a call to its answer.");
  for (size_t i = 0; i < by_operation_.size(); ++i) {
    const auto& took = by_operation_[i]->took;
    auto is_used = took.seconds() > 0;
    if (is_used)
      to.samples(durations, {{"operation", name_at(i)}}, took);
  }
}

} // namespace scratchpage::telemetry
