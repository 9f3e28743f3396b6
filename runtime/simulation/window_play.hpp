#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/messages/chat.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/simulation/player.hpp"
#include "scratchpage/runtime/simulation/stage.hpp"
#include "scratchpage/runtime/simulation/summary.hpp"

namespace scratchpage {

/// A recorded conversation as its model would have seen it, within a window: each
/// message is told to the CONVERSATIONS, and before each message of the assistant
/// the prompt is made that it would have answered.
class window_play {
public:
  window_play(stage& on, const ensemble& team, uint32_t window, std::string thread_id);

  /// Tells them in order, and gives what happened to the model. Errors are those of
  /// the actors.
  caf::expected<std::vector<model_moment>> tell(const std::vector<chat_message>& messages);

  /// What the scratchbook shows now.
  caf::expected<std::string> view();

  /// The figures so far: prompts and those over the window, compactions and what
  /// they moved, items that were open or pinned before a compaction and are
  /// neither in the next prompt nor in what `scratch_read` gives.
  const run_summary& counters() const { return counters_; }

private:
  caf::error tell_one(const chat_message& x, std::vector<model_moment>& moments);
  caf::error note_prompt(std::vector<model_moment>& moments);
  model_moment note(const conversation_stats& next);
  caf::expected<model_prompt> next_prompt(uint64_t& tokens);
  caf::expected<scratchbook> book();
  caf::error look_for(const scratchbook& before, const std::string& prompt);
  caf::expected<std::string> whole_view();

  stage& stage_;
  const ensemble& team_;
  uint32_t window_;
  std::string thread_id_;
  conversation_stats last_;
  run_summary counters_;
};

} // namespace scratchpage
