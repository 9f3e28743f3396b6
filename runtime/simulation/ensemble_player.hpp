#pragma once

#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// Plays conversations on real ensembles, one for each agent, with recorded
/// tools. On virtual time the same seed gives the same run to the byte.
class ensemble_player : public player {
public:
  caf::error configure(const json::object& config) override;
  caf::expected<play_result> play(const conversation& x, const play_options& options) override;

private:
  json::object config_;
};

} // namespace scratchpage
