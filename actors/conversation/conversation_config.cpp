#include "scratchpage/actors/conversation/conversation_config.hpp"

#include <algorithm>

#include "scratchpage/messages/config_check.hpp"

namespace scratchpage {

namespace {

/// No text has more of the window than an eighth.
uint32_t within_share(uint32_t limit, const prompt_config& of) {
  return std::max(1u, std::min(limit, of.window / 8));
}

} // namespace

caf::error validate(const conversation_config& x) {
  return config_check{"conversation"}
    .range("tool_result_token_limit", x.tool_result_token_limit, 1, 100'000'000)
    .range("message_token_limit", x.message_token_limit, 1, 100'000'000)
    .range("keep_share", x.keep_share, 0, 1)
    .range("part_ms", x.part_ms, 1, 3'600'000)
    .range("save_ms", x.save_ms, 1, 3'600'000)
    .range("compactor_ms", x.compactor_ms, 1, 3'600'000)
    .range("max_threads", x.max_threads, 1, 10'000'000)
    .range("max_waiting", x.max_waiting, 1, 1'000'000)
    .range("compactor.max_rounds", x.compactor.max_rounds, 1, 1'000)
    .range("compactor.max_calls", x.compactor.max_calls, 1, 1'000)
    .error();
}

uint32_t limit_of_result(const conversation_config& x, const prompt_config& in) {
  return within_share(x.tool_result_token_limit, in);
}

uint32_t limit_of_message(const conversation_config& x, const prompt_config& in) {
  return within_share(x.message_token_limit, in);
}

} // namespace scratchpage
