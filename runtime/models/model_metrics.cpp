#include "scratchpage/runtime/models/model_metrics.hpp"

#include <algorithm>

namespace scratchpage::models {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

uint64_t sum(const auto& numbers) {
  uint64_t result = 0;
  for (const auto& one : numbers)
    result += one.load(relaxed);
  return result;
}

} // namespace

void model_metrics::count(
  std::string_view daemon, const chat_reply& x, bool by_model, timespan took) {
  auto last = daemons.end() - 1;
  auto& to =
    by_daemon_[static_cast<size_t>(std::find(daemons.begin(), last, daemon) - daemons.begin())];
  to.outcomes[static_cast<size_t>(x.outcome)].fetch_add(1, relaxed);
  to.fallbacks.fetch_add(by_model ? 0 : 1, relaxed);
  to.prompt_tokens.fetch_add(x.prompt_tokens, relaxed);
  to.answer_tokens.fetch_add(x.answer_tokens, relaxed);
  to.cached_tokens.fetch_add(x.cached_tokens, relaxed);
  to.took.add(took);
}

void model_metrics::write(telemetry::metrics_text& to) const {
  using telemetry::metric_type;
  auto is_idle = [](const counts& x) { return sum(x.outcomes) == 0; };
  if (std::all_of(by_daemon_.begin(), by_daemon_.end(), is_idle))
    return;
  auto for_each = [&](const auto& tell) {
    for (size_t i = 0; i < daemons.size(); ++i)
      if (!is_idle(by_daemon_[i]))
        tell(daemons[i], by_daemon_[i]);
  };
  to.head("scratchpage_model_calls_total", metric_type::counter,
    "Questions of daemons to models, by what became of them.");
  for_each([&](std::string_view daemon, const counts& x) {
    for (size_t i = 0; i < x.outcomes.size(); ++i)
      if (auto n = x.outcomes[i].load(relaxed); n > 0)
        to.sample("scratchpage_model_calls_total",
          {{"daemon", daemon}, {"outcome", enum_names<reply_outcome>[i]}}, n);
  });
  to.head("scratchpage_model_fallbacks_total", metric_type::counter,
    "Questions to models that the rules have decided.");
  for_each([&](std::string_view daemon, const counts& x) {
    to.sample("scratchpage_model_fallbacks_total", {{"daemon", daemon}}, x.fallbacks.load(relaxed));
  });
  to.head("scratchpage_model_tokens_total", metric_type::counter,
    "Tokens that endpoints have counted; those of prompts include the cached ones.");
  for_each([&](std::string_view daemon, const counts& x) {
    auto tell = [&](std::string_view kind, const number& n) {
      to.sample(
        "scratchpage_model_tokens_total", {{"daemon", daemon}, {"kind", kind}}, n.load(relaxed));
    };
    tell("prompt", x.prompt_tokens);
    tell("answer", x.answer_tokens);
    tell("cached", x.cached_tokens);
  });
  to.head("scratchpage_model_duration_seconds", metric_type::histogram,
    "How long daemons have waited for models, in the gate too.");
  for_each([&](std::string_view daemon, const counts& x) {
    to.samples("scratchpage_model_duration_seconds", {{"daemon", daemon}}, x.took);
  });
}

} // namespace scratchpage::models
