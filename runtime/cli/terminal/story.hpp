#pragma once

#include <cstddef>
#include <iosfwd>

#include "scratchpage/runtime/cli/terminal/terminal.hpp"
#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// How detailed a story is.
struct story_scope {
  size_t conversations = 1; ///< number of all conversations
  size_t id_width = 0;      ///< columns of the longest id
  bool verbose = false;     ///< all in full; else one line for each if there are many
};

/// Up to this number of conversations, each is printed turn by turn.
inline constexpr size_t told_in_full = 3;

/// Conversations that get a line. The rest is only counted.
inline constexpr size_t told_in_a_line = 200;

/// Prints what happened in a simulation: for each turn its urgency, calls, errors, recoveries,
/// observations and lessons; then the goals and their progress.
class story_printer {
public:
  story_printer(std::ostream& out, terminal_style style, story_scope scope);

  /// Prints one conversation, after its end.
  void tell(const conversation& played, const play_result& result);

  /// Prints the end: unmet expectations and the figures of the run.
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
