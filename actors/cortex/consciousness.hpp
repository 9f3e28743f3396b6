#pragma once

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/policies/mandates.hpp"
#include "scratchpage/messages/handles.hpp"

namespace scratchpage {

/// The CONSCIOUSNESS: judges proposals by its mandates (contract 8).
class consciousness_state {
public:
  using handle = consciousness_actor;
  static constexpr const char* name = "consciousness";

  consciousness_state(handle::pointer self, const agent_context& agent, mandate_config config);

  handle::behavior_type make_behavior();

private:
  mandates mandates_;
  tracer trace_;
};

} // namespace scratchpage
