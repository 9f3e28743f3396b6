#pragma once

#include <cstdint>

#include "scratchpage/messages/conversation.hpp"

namespace scratchpage {

struct rule_compactor_config {
  uint32_t max_actions = 20; ///< of one compaction
  uint32_t max_asked = 5;    ///< requests that a summary quotes
  uint32_t max_quoted_bytes = 120;

  static constexpr auto fields(auto all) {
    using self = rule_compactor_config;
    return all(optional("max_actions", &self::max_actions), optional("max_asked", &self::max_asked),
      optional("max_quoted_bytes", &self::max_quoted_bytes));
  }
};

/// The tag of the note that says what has left a conversation.
inline constexpr const char* summary_tag = "earlier_conversation";

/// Compacts by rules alone (contract 11, the deterministic fallback): a summary
/// note that names the file, how much is in it, what the user asked and which
/// tools were called; and as todos
///
/// - a question that nobody has answered, of the user or of the assistant;
/// - each confirmation that is pending;
/// - each tool whose last call failed, with why and what was tried;
/// - each goal that is not met.
///
/// The same material gives the same plan.
compaction_plan compact_by_rules(
  const compact_messages& x, const rule_compactor_config& config = {});

} // namespace scratchpage
