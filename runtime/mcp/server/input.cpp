#include "scratchpage/runtime/mcp/server/input.hpp"

#include "scratchpage/runtime/mcp/protocol/members.hpp"

namespace scratchpage::mcp {

namespace {

constexpr std::string_view to_the_user = "elicitation/create";
constexpr std::string_view to_the_model = "sampling/createMessage";

/// An accepted form has been filled in; an accepted address needs nothing more.
bool is_decision(const question& x, const json::object& answer) {
  auto action = text_in(answer, "action");
  if (action != "accept")
    return action == "decline" || action == "cancel";
  return text_in(x.params, "mode") == "url" || object_in(answer, "content") != nullptr;
}

} // namespace

std::string_view capability_for(const question& x) {
  if (x.method == to_the_user)
    return "elicitation";
  return x.method == to_the_model ? "sampling" : "roots";
}

bool fits(const question& x, const json::object& answer) {
  if (x.method == to_the_user)
    return is_decision(x, answer);
  if (x.method == to_the_model)
    return answer.contains("content");
  const auto* roots = member(answer, "roots");
  return roots != nullptr && roots->is_array();
}

} // namespace scratchpage::mcp
