#include "scratchpage/actors/policies/ambiguity_policy.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/config_check.hpp"
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

/// "departure_date" as a person would say it.
std::string spoken(std::string_view field) {
  return joined(words_of(field), " ");
}

question about_field(const planned_call& call, const std::string& field) {
  return {"What " + spoken(field) + " should " + call.tool_id + " use? (" + field + ")",
    call.call_id, call.tool_id, field, call.tool_id + " requires " + field};
}

/// The part of an input that is read.
std::string_view in_reach(std::string_view input) {
  return utf8::prefix(input, reading_limits::input_bytes);
}

question about_input(std::string text, std::string reason) {
  return {std::move(text), {}, {}, {}, std::move(reason)};
}

const tool_manifest* manifest_of(const manifest_list& manifests, const std::string& tool_id) {
  auto i = std::find_if(manifests.begin(), manifests.end(),
    [&](const manifest_ptr& one) { return one->tool_id == tool_id; });
  return i != manifests.end() ? i->get() : nullptr;
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

caf::error validate(const ambiguity_config& x, std::string_view path) {
  return config_check{path}
    .words("referents", x.referents)
    .words("fillers", x.fillers)
    .words("undecided", x.undecided)
    .words("question_starts", x.question_starts)
    .words("answer_starts", x.answer_starts)
    .words("deferrals", x.deferrals)
    .error();
}

ambiguity_policy::ambiguity_policy(const ambiguity_config& config)
  : referents_{config.referents},
    fillers_{config.fillers},
    undecided_{config.undecided},
    question_starts_{config.question_starts},
    answer_starts_{config.answer_starts},
    deferrals_{config.deferrals} {}

std::vector<question> ambiguity_policy::questions(std::string_view input,
  const std::vector<planned_call>& plan, const manifest_list& manifests,
  bool answers_earlier) const {
  std::vector<question> result;
  for (const auto& call : plan) {
    const auto* manifest = manifest_of(manifests, call.tool_id);
    if (manifest == nullptr)
      continue; // the Executor reports an unknown tool
    for (const auto& field : missing_fields(call, *manifest))
      result.push_back(about_field(call, field));
  }
  if (!plan.empty())
    return result;
  auto words = words_of(in_reach(input));
  if (utf8::is_blank(input))
    result.push_back(about_input("What can I do for you?", "the input is blank"));
  else if (const auto* found = undecided_.find_in(words))
    result.push_back(
      about_input("Which one do you mean?", "\"" + *found + "\" leaves the choice open"));
  else if (!answers_earlier && is_bare_referent(words))
    result.push_back(about_input(
      "What does \"" + utf8::shortened(input, reading_limits::quoted_bytes) + "\" refer to?",
      "the input names nothing that it could refer to"));
  return result;
}

bool ambiguity_policy::is_bare_referent(const std::vector<std::string>& words) const {
  bool found = false;
  for (size_t i = 0; i < words.size();) {
    auto referent = referents_.length_at(words, i);
    auto length = std::max(referent, fillers_.length_at(words, i));
    if (length == 0)
      return false;
    found = found || referent > 0;
    i += length;
  }
  return found;
}

bool ambiguity_policy::is_open_question(const observation& x) {
  return x.type == "pending_confirmation" && is_live(x.status);
}

bool ambiguity_policy::is_answer(std::string_view input) const {
  auto words = words_of(in_reach(input));
  if (words.empty() || deferrals_.find_in(words) != nullptr)
    return false;
  if (answer_starts_.length_at(words, 0) > 0)
    return true;
  auto end = input.find_last_not_of(" \t\r\n");
  return input[end] != '?' && question_starts_.length_at(words, 0) == 0;
}

} // namespace scratchpage
