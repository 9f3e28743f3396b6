#include "scratchpage/actors/policies/failure_text.hpp"

#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

bool says_something(const json::value& x) {
  return !(
    x.is_null() || (x.is_bool() && !x.get_bool()) || (x.is_string() && x.get_string().empty()));
}

} // namespace

std::optional<std::string> failure_in(std::string_view text) {
  if (text.starts_with("Error"))
    return std::string{text};
  if (!text.starts_with("{"))
    return std::nullopt;
  auto answer = parse_json(text, {.max_bytes = text.size(), .max_depth = 64});
  return answer && answer->is_object() ? failure_in(answer->get_object()) : std::nullopt;
}

std::optional<std::string> failure_in(const json::object& answer) {
  const auto* error = answer.if_contains("error");
  if (error == nullptr || !says_something(*error))
    return std::nullopt;
  if (error->is_string())
    return std::string{error->get_string()};
  if (error->is_object())
    if (const auto* message = error->get_object().if_contains("message");
        message != nullptr && message->is_string())
      return std::string{message->get_string()};
  return to_text(*error);
}

} // namespace scratchpage
