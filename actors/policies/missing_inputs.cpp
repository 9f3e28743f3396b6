#include "scratchpage/actors/policies/missing_inputs.hpp"

#include "scratchpage/actors/policies/words.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

bool is_lacking(const json::object& inputs, json::string_view field) {
  const auto* value = inputs.if_contains(field);
  if (value == nullptr || value->is_null())
    return true;
  const auto* text = value->if_string();
  return text != nullptr && utf8::is_blank({text->data(), text->size()});
}

} // namespace

std::vector<std::string> missing_fields(const planned_call& call, const tool_manifest& manifest) {
  std::vector<std::string> result;
  const auto* required = manifest.inputs.if_contains("required");
  const auto* list = required != nullptr ? required->if_array() : nullptr;
  if (list == nullptr)
    return result;
  for (const auto& entry : *list)
    if (const auto* field = entry.if_string(); field != nullptr && is_lacking(call.inputs, *field))
      result.emplace_back(field->data(), field->size());
  return result;
}

bool missing_inputs(const planned_call& call, const tool_manifest& manifest) {
  return !missing_fields(call, manifest).empty();
}

} // namespace scratchpage
