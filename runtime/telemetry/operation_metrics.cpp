#include "scratchpage/runtime/telemetry/operation_metrics.hpp"

#include <algorithm>

#include "scratchpage/runtime/operations/operation_list.hpp"

namespace scratchpage::telemetry {

namespace {

constexpr std::string_view calls = "scratchpage_operations_total";
constexpr std::string_view durations = "scratchpage_operation_duration_seconds";

std::string_view outcome(size_t how) {
  return how == 0 ? std::string_view{"ok"} : enum_names<errc>[how];
}

} // namespace

operation_metrics::operation_metrics() {
  for (size_t i = 0; i <= all_operations().size(); ++i)
    by_operation_.push_back(std::make_unique<counts>());
}

begun_call operation_metrics::begin(std::string_view operation) const {
  const auto& all = all_operations();
  auto at = std::find_if(
    all.begin(), all.end(), [&](const scratchpage::operation& x) { return x.name == operation; });
  return {static_cast<size_t>(at - all.begin()), std::chrono::steady_clock::now()};
}

void operation_metrics::end(const begun_call& x, errc how) {
  auto& to = *by_operation_[x.operation];
  to.ended[static_cast<size_t>(how)].fetch_add(1, std::memory_order_relaxed);
  to.took.add(std::chrono::steady_clock::now() - x.at);
}

void operation_metrics::write(metrics_text& to) const {
  auto name_at = [](size_t i) {
    return i < all_operations().size() ? all_operations()[i].name : std::string_view{"unknown"};
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
