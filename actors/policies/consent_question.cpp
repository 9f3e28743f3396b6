#include "scratchpage/actors/policies/consent_question.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/principal_name.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_shown_inputs = 500; // bytes within a question

constexpr std::string_view in_place_of_secret = "\"…\"";

/// The inputs as JSON, without the values of secret ones.
struct redacted_text {
  std::string text;
  std::vector<size_t> secrets_end; ///< where each left-out value ends in `text`
  size_t secret_bytes = 0;         ///< of all values that were left out
};

redacted_text text_of(const json::object& inputs, const std::vector<std::string>& secret) {
  redacted_text result;
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

/// The beginning of the inputs and the number of bytes that are missing, so that a user who agrees
/// knows that they have not seen everything.
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

/// Says which observations the tool is given beside its inputs.
std::string told(const scratch_page_query& x) {
  auto filter = asked_for(x.filters);
  auto which = filter.empty() ? std::string{} : " that match " + shown(filter, {});
  return ", and give it up to " + std::to_string(x.limit) + " observations of the page" + which;
}

/// Anybody may have worded the call, to the last character. So the text stays on one line, and
/// shows characters that are invisible or change the direction of writing.
std::string text_of(
  const planned_call& call, const std::string& reason, const std::vector<std::string>& secret) {
  auto with = call.inputs.empty() ? std::string{} : " with " + shown(call.inputs, secret);
  auto query = call.scratch_page_query ? told(*call.scratch_page_query) : std::string{};
  return "Allow " + escaped(call.tool_id) + with + query + "? Reason: " + escaped(reason);
}

/// Tells the user which words leave no doubt.
std::string hint_about(const std::string& tool_id) {
  auto name = escaped(tool_id);
  return " (Asked again, because the last answer may have been meant for another question. Say "
         "\"Yes, "
         + name + "\" or \"No, " + name + "\", unless another open question is about " + name
         + " too; or answer on the page.)";
}

/// Whether the question was open when `input` was said. Another daemon that read the input first
/// may have resolved it since.
bool was_open_at(const observation& question, const observation& input) {
  if (is_live(question.status))
    return true;
  if (question.status != status::resolved || !question.resolved_by)
    return false;
  const auto& turn = question.resolved_by->turn_id;
  return turn.empty() ? question.resolved_by->at >= input.created_at : turn == input.source.turn_id;
}

/// Whether the speaker of `input` settled the question before, and so knows that it is no longer
/// open. If anybody else settled it, the speaker may not have seen that.
bool was_settled_by_speaker(const observation& question, const observation& input) {
  if (!question.resolved_by)
    return false;
  const auto& by = *question.resolved_by;
  auto is_speaker = by.kind == input.source.kind && by.name == input.source.name
                    && by.relayed_by == input.source.relayed_by;
  return is_speaker
         && (by.turn_id.empty() ? by.at < input.created_at : by.turn_id != input.source.turn_id);
}

/// When a question that is no longer open ended.
timestamp end_of(const observation& question) {
  if (question.resolved_by)
    return question.resolved_by->at;
  return question.status == status::expired ? question.expires_at : question.updated_at;
}

/// A question that names no thread may have been shown in any. Threads whose names look the same
/// are the same to a person. An id that is too long for a thread is not looked at: anybody may
/// write any number of them.
bool may_be_in_thread_of(const observation& question, const observation& input) {
  auto id = text_view_at(question.context, "thread_id");
  if (id.size() > reading_limits::id_bytes)
    return false;
  auto thread = look_of(id);
  return thread.empty() || thread == look_of(text_view_at(input.context, "thread_id"));
}

/// Whether the speaker may have been shown the question before they said `input`.
bool may_have_seen(const observation& question, const observation& input) {
  return question.type == "pending_confirmation" && came_before(question, input)
         && may_be_in_thread_of(question, input)
         && !(is_of_ensemble(question.source) && is_of_another(question, input));
}

/// Whether `context.<key>` is there, and is no empty list.
bool is_given(const observation& input, std::string_view key) {
  const auto* value = at_path(input.context, key);
  const auto* list = value != nullptr ? value->if_array() : nullptr;
  return value != nullptr && (list == nullptr || !list->empty());
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

/// The number in an id only grows, and so does the day before it.
bool came_before(const observation& a, const observation& b) {
  const auto& x = a.observation_id;
  const auto& y = b.observation_id;
  return x.size() != y.size() ? x.size() < y.size() : x < y;
}

bool is_of_another(const observation& asked, const observation& input) {
  auto user = text_view_at(asked.context, "user_id");
  return !user.empty() && user != text_view_at(input.context, "user_id") && !is_by_owner(input);
}

bool may_be_meant(const observation& question, const observation& input) {
  return was_open_at(question, input) && may_have_seen(question, input);
}

bool may_be_on_their_mind(const observation& question, const observation& input) {
  return may_have_seen(question, input)
         && (is_live(question.status) || !was_settled_by_speaker(question, input));
}

bool is_in_one_turn(const observation& a, const observation& b) {
  return !a.source.turn_id.empty() && a.source.turn_id == b.source.turn_id;
}

bool is_as_late(const observation& question, const observation& asked) {
  return is_in_one_turn(question, asked) || came_before(asked, question);
}

bool may_be_meant_instead(const observation& gone, const observation& asked,
  const observation& input, std::optional<timestamp> last_spoke) {
  return gone.observation_id != asked.observation_id && !is_live(gone.status)
         && is_as_late(gone, asked) && may_be_on_their_mind(gone, input)
         && !(last_spoke && end_of(gone) < *last_spoke);
}

bool names_id(const observation& input, std::string_view key, const std::string& id) {
  const auto* value = at_path(input.context, key);
  if (value == nullptr)
    return false;
  auto is_id = [&](const json::value& x) { return x.is_string() && x.get_string() == id; };
  const auto* list = value->if_array();
  return list != nullptr ? std::any_of(list->begin(), list->end(), is_id) : is_id(*value);
}

std::vector<std::string> ids_in(const observation& input, std::string_view key) {
  std::vector<std::string> result;
  const auto* value = at_path(input.context, key);
  if (value == nullptr)
    return result;
  auto take = [&](const json::value& x) {
    if (x.is_string())
      result.emplace_back(x.get_string());
  };
  if (const auto* list = value->if_array())
    std::for_each(list->begin(), list->end(), take);
  else
    take(*value);
  return result;
}

bool names_answered(const observation& input) {
  return is_from_person(input) && input.context.contains("answers");
}

bool names_questions(const observation& input) {
  return names_answered(input) || is_given(input, "confirms") || is_given(input, "declines");
}

} // namespace scratchpage
