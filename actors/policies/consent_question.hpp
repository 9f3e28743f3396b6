#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// A question to the user whether one call may be made, as it waits on the page:
/// a `pending_confirmation` of the Executor.
struct consent_question {
  planned_call call;           ///< the one that waits, ready to be made
  std::string user;            ///< who is asked; nobody else can answer
  std::string alert_id;        ///< the `security_alert` about it, "" if none was stored
  std::string planned_by = {}; ///< who relayed the turn that planned it, "" if the user did
};

/// What is put on the page. `reason` is the mandate's; the values of `secret` inputs are not
/// shown, and the text says how many bytes of the inputs it leaves out, and what the tool is told
/// of the page.
observation_draft draft_of(const consent_question& x, const std::string& reason,
  const std::vector<std::string>& secret, double ttl_minutes);

/// The same question once more, after an answer that may have meant another one: it says how
/// to answer it without a doubt.
observation_draft asked_again(const observation& asked, double ttl_minutes);

/// The question that `x` asks; none if it is anything else. Only the Executor's own are
/// such: whoever else asked would choose the call that a "yes" lets through.
std::optional<consent_question> read_consent_question(const observation& x);

/// Whether an input is of whoever owns the agent, as TURNS writes it and nobody else can.
bool is_by_owner(const observation& input);

/// The same tool with the same inputs, which is told the same of the page.
bool is_same_call(const planned_call& a, const planned_call& b);

} // namespace scratchpage
