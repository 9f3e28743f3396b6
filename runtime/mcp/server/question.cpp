#include "scratchpage/runtime/mcp/server/question.hpp"

#include "scratchpage/messages/text/display_text.hpp"

namespace scratchpage::mcp {

namespace {

constexpr std::string_view to_the_user = "elicitation/create";
constexpr std::string_view to_the_model = "sampling/createMessage";
constexpr std::string_view in_params = "inputResponses";

/// Whether the answer to an elicitation is complete: an accepted form has content, and an accepted
/// address needs none.
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

json::object requests_of(const questions& x) {
  json::object result;
  for (const auto& [name, one] : x)
    result[name] = json::object{{"method", one.method}, {"params", one.params}};
  return result;
}

std::variant<answers, error> answers_in(const json::object& params) {
  answers result;
  const auto* given = member(params, in_params);
  if (given == nullptr)
    return result;
  if (!given->is_object())
    return invalid_params("inputResponses: expected an object");
  for (const auto& [name, x] : given->get_object()) {
    if (!x.is_object())
      return invalid_params("inputResponses." + shown_name(name) + ": expected an object");
    result.emplace(name, x.get_object());
  }
  return result;
}

bool can_show_forms(const json::object& elicitation) {
  return elicitation.empty() || object_in(elicitation, "form") != nullptr;
}

} // namespace scratchpage::mcp
