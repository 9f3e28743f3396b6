#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scratchpage/messages/conversation.hpp"
#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// A program that compacts conversations (agent_compactor.hpp).
struct compactor_program {
  std::vector<std::string> command;       ///< looked up in PATH, with arguments; empty: none
  std::map<std::string, std::string> env; ///< added to this process's environment
  std::string working_directory;          ///< "": this process's own
  uint32_t max_rounds = 16;               ///< requests of one compaction
  uint32_t max_calls = 32;                ///< tool calls in one answer

  static constexpr auto fields(auto all) {
    using self = compactor_program;
    return all(optional("command", &self::command), optional("env", &self::env),
      optional("working_directory", &self::working_directory),
      optional("max_rounds", &self::max_rounds), optional("max_calls", &self::max_calls));
  }
};

struct rule_compactor_config {
  uint32_t max_actions = 20; ///< next actions of one compaction
  uint32_t max_asked = 5;    ///< requests that a summary quotes
  uint32_t max_quoted_bytes = 120;

  static constexpr auto fields(auto all) {
    using self = rule_compactor_config;
    return all(optional("max_actions", &self::max_actions), optional("max_asked", &self::max_asked),
      optional("max_quoted_bytes", &self::max_quoted_bytes));
  }
};

/// The tag of the note that summarises the offloaded messages.
inline constexpr const char* summary_tag = "earlier_conversation";

/// Compacts by rules (contract 11, the deterministic fallback). The summary is a note with the
/// file, the number of messages in it, what the user asked and which tools were called. The next
/// actions are todos for
///
/// - the last question of the user or the assistant, if it was not answered;
/// - each pending confirmation;
/// - each tool whose last call failed, with the reason and the arguments that were tried;
/// - each open goal.
///
/// What the user said last is no todo: the conversation goes on with it.
///
/// The same input gives the same plan.
compaction_plan compact_by_rules(
  const compact_messages& x, const rule_compactor_config& config = {});

/// The ids of open todos that a compaction by rules has opened and that are closed since: a
/// question that was answered, a confirmation that is no longer pending, a tool whose last call
/// succeeded, a goal that has ended. Of `x`, what was offloaded is not needed.
std::vector<std::string> closed_todos(
  const compact_messages& x, const rule_compactor_config& config = {});

/// Whether the item is an open todo that `closed_todos` may close.
bool may_be_closed(const scratchbook_item& x);

/// Makes a plan safe, whoever made it: it overwrites no item of `in` but the summary, and adds at
/// most `max_actions` items.
compaction_plan sanitize_plan(compaction_plan x, const scratchbook& in, uint32_t max_actions);

} // namespace scratchpage
