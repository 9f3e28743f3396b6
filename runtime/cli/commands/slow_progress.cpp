#include "scratchpage/runtime/cli/commands/slow_progress.hpp"

#include <utility>

namespace scratchpage {

namespace {

constexpr double patience_ms = 1'000;

} // namespace

slow_progress::slow_progress(
  const command_environment& environment, std::string unit, std::string label)
  : label_{std::move(label)},
    now_ms_{environment.show_progress ? environment.now_ms : nullptr},
    begun_ms_{now_ms_ ? now_ms_() : 0},
    bar_{environment.err, environment.err_style, environment.show_progress, environment.now_ms,
      std::move(unit)} {}

void slow_progress::operator()(uint64_t done, uint64_t total) {
  if (now_ms_ && now_ms_() - begun_ms_ >= patience_ms)
    bar_.update(done, total, label_);
}

} // namespace scratchpage
