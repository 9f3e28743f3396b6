#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/policies/latency_policy.hpp"

namespace scratchpage {

/// The SYSTEM ANALYZER (optional): when measurements come in it reads the
/// latencies and failures on the page and publishes an `action_suggestion`,
/// such as preferring a faster tool; each suggestion once while it is live.
/// It looks once, however many measurements come together, and then rests
/// (`analysis_limits`): what comes meanwhile is looked at afterwards, and no turn
/// waits for that.
class system_analyzer_state : public daemon {
public:
  static constexpr const char* name = "system_analyzer";

  system_analyzer_state(
    handle::pointer self, daemon_setup setup, latency_config config, toolbox_actor tools);

private:
  enum class state : uint8_t { idle, looking, resting };

  /// Lives until its last step; the batch that led to it is acknowledged then.
  struct look;
  using look_ptr = std::shared_ptr<look>;

  std::vector<observation_filter> interests() const override;
  void react(const page_event& event, const token& done) override;
  void begin_look(const token& done);
  void read_tools(const look_ptr& x);
  void read_suggestions(const look_ptr& x);
  void publish_new(const look_ptr& x, const std::vector<observation_ptr>& live);
  void rest();

  latency_config config_;
  latency_policy policy_;
  toolbox_actor tools_;
  state state_ = state::idle;
  std::optional<caller> wanted_; ///< because of what a look is to begin; none: of nothing
};

} // namespace scratchpage
