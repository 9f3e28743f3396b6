#pragma once

#include <cstddef>
#include <iosfwd>

#include "scratchpage/runtime/cli/terminal/terminal.hpp"
#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// How much a story tells.
struct story_scope {
  size_t conversations = 1; ///< how many there will be
  size_t id_width = 0;      ///< columns of the longest id
  bool verbose = false;     ///< everything of each; else a line each if there are many
};

/// Conversations up to which each is told turn by turn without being asked to.
inline constexpr size_t told_in_full = 3;

/// Lines about conversations before the rest is only counted.
inline constexpr size_t told_in_a_line = 200;

/// Tells people what happened: for each turn the urgency, calls, errors and
/// recoveries, what was noticed and learned; then the goals and their progress.
class story_printer {
public:
  story_printer(std::ostream& out, terminal_style style, story_scope scope);

  /// One conversation, as it has ended.
  void tell(const conversation& played, const play_result& result);

  /// The end: what did not hold, and the figures.
  void tell_end(const run_summary& summary);

private:
  bool in_full() const { return scope_.verbose || scope_.conversations <= told_in_full; }
  void tell_line(const conversation& played, const play_result& result);
  void tell_turns(const conversation& played, const play_result& result);

  std::ostream& out_;
  terminal_style style_;
  story_scope scope_;
  size_t told_ = 0;
  std::vector<std::string> unmet_; ///< of conversations that got one line
};

} // namespace scratchpage
