#include "scratchpage/runtime/testing/virtual_time.hpp"

#include <caf/send.hpp>

#include "scratchpage/messages/messages.hpp"

namespace scratchpage::testing {

template struct asker<void>;
template struct asker<uint64_t>;
template struct asker<add_outcomes>;
template struct asker<assembled_context>;
template struct asker<compaction_plan>;
template struct asker<conversation_stats>;
template struct asker<episode_list>;
template struct asker<fact>;
template struct asker<fact_list>;
template struct asker<forgotten>;
template struct asker<goal>;
template struct asker<goal_list>;
template struct asker<linked_observations>;
template struct asker<file_part>;
template struct asker<memory_hits>;
template struct asker<model_prompt>;
template struct asker<observation_list>;
template struct asker<observation_ptr>;
template struct asker<operation_answer>;
template struct asker<page_stats>;
template struct asker<journal_stats>;
template struct asker<promotion_report>;
template struct asker<query_result>;
template struct asker<receipt>;
template struct asker<rest_verdict>;
template struct asker<scratch_view>;
template struct asker<scratchbook>;
template struct asker<scratchbook_item>;
template struct asker<subscriber_list>;
template struct asker<tool_list>;
template struct asker<tool_response>;
template struct asker<turn_list>;
template struct asker<turn_result>;
template struct asker<turn_so_far>;
template struct asker<verdict>;

namespace {

caf::actor_system_config& prepared(caf::actor_system_config& cfg) {
  use_virtual_time(cfg);
  return cfg;
}

} // namespace

virtual_time::virtual_time()
  : sys{prepared(cfg)} {}

virtual_time::~virtual_time() {
  for (; !owned.empty(); owned.pop_back()) {
    caf::anon_send_exit(owned.back(), caf::exit_reason::user_shutdown);
    settle();
  }
}

} // namespace scratchpage::testing
