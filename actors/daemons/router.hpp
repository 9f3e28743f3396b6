#pragma once

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/policies/urgency_policy.hpp"

namespace scratchpage {

/// The ROUTER: for each `user_input` it reads the live alerts and confirmations
/// and publishes a `routing_decision` with the urgency and its reasons. It also
/// has the page offer again what may deserve a goal.
class router_state : public daemon {
public:
  static constexpr const char* name = "router";

  router_state(handle::pointer self, daemon_setup setup, urgency_config config);

private:
  std::vector<observation_filter> interests() const override;
  void react(const page_event& event, const token& done) override;
  observation_draft decide(
    const observation& input, const std::vector<observation_ptr>& live) const;

  urgency_policy policy_;
};

} // namespace scratchpage
