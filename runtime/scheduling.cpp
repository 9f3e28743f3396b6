#include "scratchpage/runtime/scheduling.hpp"

#include <algorithm>
#include <string>
#include <thread>

namespace scratchpage {

void use_few_threads(caf::actor_system_config& cfg) {
  auto cores = std::max(std::thread::hardware_concurrency(), 2u);
  cfg.set("caf.scheduler.policy", std::string{"sharing"});
  cfg.set("caf.scheduler.max-threads", static_cast<size_t>(cores - 1));
}

} // namespace scratchpage
