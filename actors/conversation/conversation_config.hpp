#pragma once

#include <cstdint>
#include <string>

#include <caf/error.hpp>

#include "scratchpage/actors/conversation/compactor_program.hpp"
#include "scratchpage/actors/conversation/rule_compactor.hpp"
#include "scratchpage/actors/conversation/system_prompt.hpp"
#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

struct conversation_config {
  std::string instructions; ///< what every system prompt begins with
  /// What a tool's result, and any other message, may cost before it goes to a file;
  /// an eighth of the window is too much in any case.
  uint32_t tool_result_token_limit = 400;
  uint32_t message_token_limit = 1'000;
  /// How much of the room for history stays when it is compacted, in [0, 1].
  double keep_share = 0.5;
  double part_ms = 1'000;       ///< how long a part of a prompt may take; then it is left empty
  double save_ms = 10'000;      ///< how long a file may take
  double compactor_ms = 30'000; ///< how long a compactor may take; then the rules do it
  uint32_t max_threads = 1'000; ///< in memory; others are put to rest
  uint32_t max_waiting = 64;    ///< requests of a thread before they are overloaded
  rule_compactor_config rules;
  compactor_program compactor; ///< instead of them, if it is given

  static constexpr auto fields(auto all) {
    using self = conversation_config;
    return all(optional("instructions", &self::instructions),
      optional("tool_result_token_limit", &self::tool_result_token_limit),
      optional("message_token_limit", &self::message_token_limit),
      optional("keep_share", &self::keep_share), optional("part_ms", &self::part_ms),
      optional("save_ms", &self::save_ms), optional("compactor_ms", &self::compactor_ms),
      optional("max_threads", &self::max_threads), optional("max_waiting", &self::max_waiting),
      optional("rules", &self::rules), optional("compactor", &self::compactor));
  }
};

/// No error if shares and limits are sound.
caf::error validate(const conversation_config& x);

/// What a tool's result may cost in a prompt.
uint32_t limit_of_result(const conversation_config& x, const prompt_config& in);

/// What any other message may.
uint32_t limit_of_message(const conversation_config& x, const prompt_config& in);

} // namespace scratchpage
