#pragma once

#include <memory>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/policies/recovery_policy.hpp"

namespace scratchpage {

/// The ERROR HANDLER: for each `error_alert` it looks at the earlier attempts
/// that the same source tells of and publishes one `recovery_plan`: retry,
/// alternative, partial success, escalate, or fail gracefully. Only a plan about
/// an alert of the Executor names a call in its metadata.
class error_handler_state : public daemon {
public:
  static constexpr const char* name = "error_handler";

  error_handler_state(
    handle::pointer self, daemon_setup setup, recovery_config config, toolbox_actor tools);

private:
  std::vector<observation_filter> interests() const override;
  void react(const page_event& event, const token& done) override;
  void plan(caller by, const observation& alert, const std::vector<observation_ptr>& earlier,
    const manifest_list& tools, const token& done);

  recovery_policy policy_;
  toolbox_actor tools_;
};

} // namespace scratchpage
