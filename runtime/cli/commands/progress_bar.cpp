#include "scratchpage/runtime/cli/commands/progress_bar.hpp"

#include <ostream>
#include <utility>

#include "scratchpage/messages/text/display_text.hpp"

namespace scratchpage {

namespace {

constexpr double least_pause_ms = 100;
constexpr size_t bar_columns = 24;

constexpr double delay_ms = 1'000;

} // namespace

void progress_bar::update(size_t done, size_t total, const std::string& label) {
  if (!on_ || total == 0)
    return;
  auto now = now_ms_();
  if (now - last_ms_ < least_pause_ms && done < total)
    return;
  last_ms_ = now;
  auto share = static_cast<double>(done) / static_cast<double>(total);
  auto figures = " " + std::to_string(done) + "/" + std::to_string(total) + " " + unit_ + "  ";
  auto used = bar_columns + display_width(figures);
  auto room = style_.width > used + 1 ? style_.width - used - 1 : 0;
  out_ << "\r\x1b[K" << paint(style_, ink::accent, draw_bar(style_, share, bar_columns)) << figures
       << paint(style_, ink::faint, fit(one_line(label), room)) << std::flush;
  shown_ = true;
}

void progress_bar::clear() {
  if (shown_)
    out_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

slow_progress::slow_progress(
  const command_environment& environment, std::string unit, std::string label)
  : label_{std::move(label)},
    now_ms_{environment.show_progress ? environment.now_ms : nullptr},
    begun_ms_{now_ms_ ? now_ms_() : 0},
    bar_{environment.err, environment.err_style, environment.show_progress, environment.now_ms,
      std::move(unit)} {}

void slow_progress::operator()(uint64_t done, uint64_t total) {
  if (now_ms_ && now_ms_() - begun_ms_ >= delay_ms)
    bar_.update(done, total, label_);
}

} // namespace scratchpage
