#include "scratchpage/tests/bench/transcripts.hpp"

#include <chrono>

#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage::bench {

caf::expected<double> play_transcripts(const std::string& file) {
  auto read = read_inputs({file});
  if (!read)
    return read.error();
  ensemble_player player;
  if (auto err = player.configure({}))
    return err;
  auto started = std::chrono::steady_clock::now();
  for (const auto& one : read->conversations)
    if (auto played = player.play(one, {}); !played)
      return played.error();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

} // namespace scratchpage::bench
