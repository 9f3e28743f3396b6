#include "scratchpage/runtime/net/json_rpc/read_error.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

std::string text_in(const json::object& x, std::string_view name) {
  const auto* value = x.if_contains(json::string_view{name.data(), name.size()});
  return value != nullptr && value->is_string() ? std::string{value->get_string()} : std::string{};
}

/// Removes a prefix that `describe` puts before the sentence.
std::string without(std::string text, const std::string& prefix) {
  if (text.starts_with(prefix))
    text.erase(0, prefix.size());
  return text;
}

} // namespace

caf::error read_error(const json::value& x) {
  const auto* members = x.if_object();
  auto code = errc::none;
  if (members == nullptr || !from_string(text_in(*members, "code"), code) || code == errc::none)
    return fail(errc::internal, "", "expected an error with a code that is known");
  auto field = text_in(*members, "field");
  auto sentence = without(text_in(*members, "message"), std::string{to_string(code)} + ": ");
  if (!field.empty())
    sentence = without(std::move(sentence), field + ": ");
  return fail(code, field, sentence);
}

} // namespace scratchpage
