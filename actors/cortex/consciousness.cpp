#include "scratchpage/actors/cortex/consciousness.hpp"

#include <utility>

#include "scratchpage/actors/base/daemon.hpp"

namespace scratchpage {

consciousness_state::consciousness_state(
  handle::pointer, const agent_context& agent, mandate_config config)
  : mandates_{std::move(config)},
    trace_{agent, name, static_cast<uint32_t>(component::consciousness)} {}

consciousness_state::handle::behavior_type consciousness_state::make_behavior() {
  return {[this](const proposal& x) {
    auto result = mandates_.judge(x);
    trace_.write("judge", x.by,
      {{"action", x.action}, {"subject", x.subject}, {"verdict", name_of(result.kind)},
        {"mandate_id", result.mandate_id}});
    return result;
  }};
}

} // namespace scratchpage
