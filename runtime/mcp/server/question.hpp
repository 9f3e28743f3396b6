#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

/// What a tool asks the client during a call.

namespace scratchpage::mcp {

/// One question to the client: to its user (`elicitation/create`), to its model
/// (`sampling/createMessage`), or for its folders (`roots/list`).
struct question {
  std::string method;
  json::object params;
};

/// By names that the tool chooses, so that it can tell the answers apart.
using questions = std::map<std::string, question>;
using answers = std::map<std::string, json::object>;

/// The capability that a client needs for that question.
std::string_view capability_for(const question& x);

/// Whether an answer has the form that the question asks for.
bool fits(const question& x, const json::object& answer);

/// The questions as a client gets them (`inputRequests`).
json::object requests_of(const questions& x);

/// Reads a client's answers (`inputResponses`) from the parameters of a request. None are there if
/// the member is missing.
std::variant<answers, error> answers_in(const json::object& params);

/// The member of a client's capabilities `elicitation`, if it has that member: whether it can show
/// a form.
bool can_show_forms(const json::object& elicitation);

} // namespace scratchpage::mcp
