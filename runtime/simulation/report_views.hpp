#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// The scratchbook's views of a conversation, as a report's page reads them. Most of
/// a view is in the one before, too: each line is written once, and a view is a list
/// of numbers of lines.
class report_views {
public:
  /// At most `room` bytes of JSON; of each line `line_bytes`.
  report_views(size_t room, size_t line_bytes)
    : room_{room},
      line_bytes_{line_bytes} {}

  /// What happened to the model of a turn: `{"view": 3, "tokens": 812}` of a prompt,
  /// `{"compactions": 1, "offloaded": 900, "kept": 80}`; without a prompt the view
  /// after the turn is there, without tokens. A view that has no room is -1.
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
