#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"

/// What a tool asks the client for while it is called.

namespace scratchpage::mcp {

/// One question to the client: to its user (`elicitation/create`), to its model
/// (`sampling/createMessage`), or for its folders (`roots/list`).
struct question {
  std::string method;
  json::object params;
};

/// By names of the asker's choice, which tell the answers apart.
using questions = std::map<std::string, question>;
using answers = std::map<std::string, json::object>;

/// Which capability a client needs to be asked that.
std::string_view capability_for(const question& x);

/// Whether an answer is one to that question.
bool fits(const question& x, const json::object& answer);

} // namespace scratchpage::mcp
