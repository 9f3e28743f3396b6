#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/chat.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/scratchbook.hpp"

namespace scratchpage {

/// What is known when a part of a conversation leaves the model's sight.
struct compaction_material {
  std::string path;                     ///< of the file that the part has gone to
  std::vector<chat_message> offloaded;  ///< the part
  std::vector<chat_message> kept;       ///< what follows it
  uint64_t offloaded_before = 0;        ///< messages that went to the file earlier
  scratchpage::scratchbook scratchbook; ///< the thread's
  std::vector<goal> goals;              ///< the agent's
  std::vector<observation_ptr> pending; ///< confirmations that nobody has answered
};

/// What the scratchbook gets, so that the conversation can go on without it.
struct compaction_plan {
  std::string summary_id;               ///< the summary note that is there already; "": none
  item_draft summary;                   ///< what it says from now on
  std::vector<item_draft> next_actions; ///< none that is there already
};

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
  const compaction_material& x, const rule_compactor_config& config = {});

} // namespace scratchpage
