#pragma once

#include <set>
#include <string>
#include <vector>

#include "scratchpage/actors/daemons/daemon.hpp"
#include "scratchpage/actors/policies/latency_policy.hpp"

namespace scratchpage {

/// The SYSTEM ANALYZER (optional): when measurements come in it reads the
/// latencies and failures on the page and publishes an `action_suggestion`,
/// such as preferring a faster tool; each suggestion once while it is live.
class system_analyzer_state : public daemon {
public:
  static constexpr const char* name = "system_analyzer";

  system_analyzer_state(
    handle::pointer self, daemon_setup setup, latency_config config, toolbox_actor tools);

private:
  std::vector<observation_filter> interests() const override;
  void react(const page_event& event, const token& done) override;
  void read(const caller& by, const token& done);
  void suggest(const caller& by, const suggestion& what, const token& done);

  latency_config config_;
  latency_policy policy_;
  toolbox_actor tools_;
  std::set<std::string> under_way_; ///< keys of suggestions that are not on the page yet
};

} // namespace scratchpage
