#include "scratchpage/runtime/cli/terminal/event_view.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/escaped_text.hpp"

namespace scratchpage {

namespace {

constexpr size_t gap = 2;
constexpr size_t most_bytes = 1'000; // of a text; more fits no line
constexpr size_t most_columns = 40;  // of all but the content
/// Below these widths less is shown beside the content.
constexpr size_t width_for_dates = 100;
constexpr size_t width_for_types = 80;
constexpr size_t width_for_ids = 56;

/// A line in the making: columns, and then what is left of it.
class line {
public:
  line(std::ostream& out, const terminal_style& style)
    : out_{out},
      style_{style} {}

  line& column(ink how, std::string_view text, size_t width) {
    auto shown = fit(escaped(utf8::shortened(text, most_bytes)), most_columns);
    auto wide = std::max(width, display_width(shown));
    used_ += wide + gap;
    out_ << paint(style_, how, shown) << std::string(wide - display_width(shown) + gap, ' ');
    return *this;
  }

  void rest(ink how, std::string_view text) {
    auto left = style_.width - std::min(style_.width, used_);
    out_ << paint(style_, how, fit(escaped(utf8::shortened(text, most_bytes)), left)) << '\n';
  }

private:
  std::ostream& out_;
  const terminal_style& style_;
  size_t used_ = 0;
};

ink ink_of(event_kind x) {
  switch (x) {
  case event_kind::added:
    return ink::good;
  case event_kind::updated:
  case event_kind::linked:
    return ink::accent;
  case event_kind::archived:
    return ink::faint;
  case event_kind::expired:
  case event_kind::lagged:
    return ink::warn;
  case event_kind::evicted:
    return ink::bad;
  default:
    return ink::plain;
  }
}

/// "2025-11-05 10:30:02", UTC.
std::string second_of(timestamp at) {
  auto text = to_rfc3339(at).substr(0, 19);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

/// 0.95, 0.5, 1.
std::string short_number(double x) {
  return to_text(json::value(std::floor(x * 100 + 0.5) / 100));
}

} // namespace

void print_event(std::ostream& out, const terminal_style& style, const page_event& x) {
  line to{out, style};
  auto at = second_of(x.at);
  if (style.width < width_for_dates)
    at.erase(0, at.find(' ') + 1);
  to.column(ink::faint, at, at.size()).column(ink_of(x.kind), to_string(x.kind), 8);
  if (!x.observation)
    return to.rest(ink::warn, count_of(x.missed, "change")
                                + " that nobody remembers; what follows is the page as it is now");
  if (style.width >= width_for_ids)
    to.column(ink::accent, x.observation->observation_id, 16);
  if (style.width >= width_for_types)
    to.column(ink::plain, x.observation->type, 11)
      .column(ink::plain, short_number(x.observation->confidence), 4);
  to.rest(ink::plain, x.observation->content);
}

} // namespace scratchpage
