#include "scratchpage/actors/policies/consent_question.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/escaped_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_shown_inputs = 500; // bytes within a question

constexpr std::string_view in_place_of_secret = "\"…\"";

/// The inputs as JSON, the values of secret ones left out.
struct discreet_text {
  std::string text;
  std::vector<size_t> secrets_end; ///< where in it
  size_t secret_bytes = 0;         ///< of all that was left out
};

discreet_text text_of(const json::object& inputs, const std::vector<std::string>& secret) {
  discreet_text result;
  for (const auto& [name, value] : inputs) {
    result.text.append(result.text.empty() ? "{" : ",");
    result.text.append(to_text(json::value(name))).append(":");
    if (std::find(secret.begin(), secret.end(), std::string_view{name}) == secret.end()) {
      result.text.append(to_text(value));
      continue;
    }
    result.text.append(in_place_of_secret);
    result.secrets_end.push_back(result.text.size());
    result.secret_bytes += to_text(value).size();
  }
  result.text.append(result.text.empty() ? "{}" : "}");
  return result;
}

/// The beginning of the inputs, and how much of them is missing: whoever agrees knows that they
/// have not seen all.
std::string shown(const json::object& inputs, const std::vector<std::string>& secret) {
  auto all = text_of(inputs, secret);
  auto part = utf8::prefix(all.text, max_shown_inputs);
  auto cut_places = std::count_if(
    all.secrets_end.begin(), all.secrets_end.end(), [&](size_t end) { return end > part.size(); });
  auto missing = all.text.size() - part.size() + all.secret_bytes
                 - static_cast<size_t>(cut_places) * in_place_of_secret.size();
  auto result = escaped(part);
  if (part.size() < all.text.size())
    return result + "… (" + std::to_string(missing) + " more bytes are not shown)";
  return missing == 0 ? result : result + " (" + std::to_string(missing) + " bytes are not shown)";
}

/// Whether a member of a filter asks for nothing.
bool says_nothing(const json::value& x) {
  return x.is_null() || (x.is_array() && x.get_array().empty())
         || (x.is_object() && x.get_object().empty());
}

json::object asked_for(const observation_filter& filter) {
  json::object result;
  const auto all = to_json(filter);
  for (const auto& [name, value] : all.as_object())
    if (!says_nothing(value))
      result[name] = value;
  return result;
}

/// What the tool is told of the page, beside its inputs.
std::string told(const scratch_page_query& x) {
  auto filter = asked_for(x.filters);
  auto which = filter.empty() ? std::string{} : " that match " + shown(filter, {});
  return ", and be told up to " + std::to_string(x.limit) + " observations of the page" + which;
}

/// The call may be worded by anybody, to the last character: it stays on one line, and shows what
/// is invisible or turns the direction of writing.
std::string text_of(
  const planned_call& call, const std::string& reason, const std::vector<std::string>& secret) {
  auto with = call.inputs.empty() ? std::string{} : " with " + shown(call.inputs, secret);
  auto query = call.scratch_page_query ? told(*call.scratch_page_query) : std::string{};
  return "May " + escaped(call.tool_id) + " be used" + with + query + "? " + escaped(reason);
}

/// Which words leave no doubt.
std::string hint_about(const std::string& tool_id) {
  auto name = escaped(tool_id);
  return " (Asked again, for the last answer may have meant another question: say \"Yes, " + name
         + "\" or \"No, " + name
         + "\", unless another open question is about that too, or answer it on the page.)";
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
  if (!x.planned_by.empty())
    draft.metadata["planned_by"] = x.planned_by;
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
  result.planned_by = text_at(x.metadata, "planned_by");
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
  auto query_of = [](const planned_call& x) {
    return x.scratch_page_query ? to_json(*x.scratch_page_query) : json::value{};
  };
  return a.tool_id == b.tool_id && a.inputs == b.inputs && query_of(a) == query_of(b);
}

} // namespace scratchpage
