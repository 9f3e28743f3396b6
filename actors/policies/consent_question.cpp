#include "scratchpage/actors/policies/consent_question.hpp"

#include <utility>

#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_shown_inputs = 500; // bytes within a question

/// The beginning of the inputs, and how much follows: whoever agrees knows that they have not
/// seen all.
std::string shown(json::object inputs, const std::vector<std::string>& secret) {
  for (const auto& name : secret)
    if (auto* value = inputs.if_contains(name))
      *value = "…";
  auto text = to_text(inputs);
  auto part = utf8::prefix(text, max_shown_inputs);
  if (part.size() == text.size())
    return text;
  return std::string{part} + "… (" + std::to_string(text.size() - part.size())
         + " more bytes are not shown)";
}

std::string text_of(
  const planned_call& call, const std::string& reason, const std::vector<std::string>& secret) {
  auto with = call.inputs.empty() ? std::string{} : " with " + shown(call.inputs, secret);
  return "May " + call.tool_id + " be used" + with + "? " + reason;
}

/// Which words leave no doubt.
std::string hint_about(const std::string& tool_id) {
  return " (Asked again, for the last answer may have meant another question: say \"Yes, " + tool_id
         + "\" or \"No, " + tool_id + "\", or answer it on the page.)";
}

} // namespace

observation_draft draft_of(const consent_question& x, const std::string& reason,
  const std::vector<std::string>& secret, double ttl_minutes) {
  auto call = x.call;
  call.depends_on.clear(); // it waited for these already
  call.after.clear();
  observation_draft draft;
  draft.type = "pending_confirmation";
  draft.content = text_of(call, reason, secret);
  draft.confidence = 0.99;
  draft.tags = {"confirmation", "security"};
  draft.owner = "user";
  draft.ttl_minutes = ttl_minutes;
  draft.metadata["questions"] = json::array{json::value(draft.content)};
  draft.metadata["call_id"] = call.call_id;
  draft.metadata["tool_id"] = call.tool_id;
  draft.metadata["consent_for"] = call.tool_id;
  draft.metadata["consent_of"] = x.user;
  draft.metadata["alert_id"] = x.alert_id;
  draft.metadata["call"] = to_json(call);
  return draft;
}

observation_draft asked_again(const observation& asked, double ttl_minutes) {
  observation_draft draft;
  draft.type = asked.type;
  draft.content = asked.content;
  if (auto hint = hint_about(text_at(asked.metadata, "consent_for"));
      !draft.content.ends_with(hint))
    draft.content += hint;
  draft.confidence = asked.confidence;
  draft.tags = asked.tags;
  draft.owner = asked.owner;
  draft.context = asked.context;
  draft.metadata = asked.metadata;
  draft.metadata["questions"] = json::array{json::value(draft.content)};
  draft.ttl_minutes = ttl_minutes;
  return draft;
}

std::optional<consent_question> read_consent_question(const observation& x) {
  auto is_executors = x.source.kind == source_kind::daemon && x.source.name == "executor";
  if (x.type != "pending_confirmation" || !is_executors)
    return std::nullopt;
  const auto* value = x.metadata.if_contains("call");
  auto call =
    value != nullptr ? from_json<planned_call>(*value) : fail(errc::not_found, "call", "");
  consent_question result;
  result.user = text_at(x.metadata, "consent_of");
  result.alert_id = text_at(x.metadata, "alert_id");
  if (!call || result.user.empty() || text_at(x.metadata, "consent_for") != call->tool_id)
    return std::nullopt;
  result.call = std::move(*call);
  return result;
}

bool is_by_owner(const observation& input) {
  const auto* flag = input.metadata.if_contains("by_owner");
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

bool is_same_call(const planned_call& a, const planned_call& b) {
  return a.tool_id == b.tool_id && a.inputs == b.inputs;
}

} // namespace scratchpage
