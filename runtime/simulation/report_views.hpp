#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage::report_page {

// The fixed parts of the report's page. The page needs no network, follows the reader's choice of
// light or dark, and can be used with the keyboard alone. Its style sheets and scripts are in
// runtime/web/; the page in the browser shares some of them.

extern const std::string_view head;
extern const std::string_view body; ///< ends inside the element `main`

} // namespace scratchpage::report_page

namespace scratchpage {

/// Rounds to three decimal places: in milliseconds, enough to distinguish moments.
double short_ms(double x);

/// The rounded number for JSON, as a whole number if it is one.
json::value short_number(double x);

/// The views of the scratchbook in a conversation, for the report's page. Views have most of their
/// lines in common, so each line is written once, and a view is a list of numbers of lines.
class report_views {
public:
  /// At most `room` bytes of JSON, and `line_bytes` of each line.
  report_views(size_t room, size_t line_bytes)
    : room_{room},
      line_bytes_{line_bytes} {}

  /// The events of a turn's model: `{"view": 3, "tokens": 812}` for a prompt, and
  /// `{"compactions": 1, "offloaded": 900, "kept": 80}` for a compaction. A turn without a prompt
  /// has the view after it, without tokens. A view that has no room is -1.
  json::array moments_of(const played_turn& x);

  size_t used() const { return used_; }
  size_t hidden() const { return hidden_; } ///< views that had no room
  json::array take_lines() { return std::move(lines_); }
  json::array take_views() { return std::move(views_); }

private:
  int64_t number_of(const std::string& view);
  bool add(const std::string& view);
  std::vector<std::string> lines_of(const std::string& view) const;

  size_t room_;
  size_t line_bytes_;
  size_t used_ = 0;
  size_t hidden_ = 0;
  std::map<std::string, size_t> known_lines_;
  std::map<std::string, int64_t> known_views_;
  json::array lines_;
  json::array views_;
};

} // namespace scratchpage
