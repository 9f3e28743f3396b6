#pragma once

#include <vector>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/policies/reflection_policy.hpp"

namespace scratchpage {

/// The REFLECTOR: after each `evaluation_result` of the Evaluator it looks back at the
/// turn, publishes what was learned (`learning`, `pattern_detected`) and archives what
/// is resolved. Semantic memory listens to the `learning` ones.
class reflector_state : public daemon {
public:
  static constexpr const char* name = "reflector";

  reflector_state(handle::pointer self, daemon_setup setup, reflection_config config);

private:
  std::vector<observation_filter> interests() const override;
  void react(const page_event& event, const token& done) override;
  void reflect(const page_event& evaluation, const turn_so_far& turn, const token& done);
  void archive_resolved(const caller& by, const token& done);

  reflection_policy policy_;
};

} // namespace scratchpage
