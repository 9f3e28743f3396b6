#pragma once

#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/auth/principal.hpp"

namespace scratchpage::mcp {

/// What a model should do after an error, in the words of the tools that it is offered.
class tool_help {
public:
  /// Only tools that are offered to this audience are named.
  explicit tool_help(audience least)
    : least_{least} {}

  /// The error about a tool that is not offered: those that were probably meant, and all.
  std::string for_unknown(std::string_view name) const;

  /// What follows the sentence of an error of a tool: the tool that finds the id, the one that fits
  /// better, or what the tool takes. "": nothing. `type` is the argument of that name.
  std::string after(const caf::error& why, std::string_view tool, std::string_view type) const;

  /// The result of a tool that has failed: the sentence of the error, and what follows it.
  json::object refusal(
    const caf::error& why, std::string_view tool, std::string_view type = {}) const;

private:
  std::string tool_that_finds(std::string_view id, std::string_view but) const;
  std::string tools_called(std::string_view name) const;

  audience least_;
};

/// The tools that a client is offered are those for this audience and above.
audience least_audience(const principal& who);

} // namespace scratchpage::mcp
