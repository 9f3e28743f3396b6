#include "scratchpage/actors/policies/meant_questions.hpp"

#include <algorithm>

#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/actors/policies/reading_limits.hpp"
#include "scratchpage/messages/component_names.hpp"
#include "scratchpage/messages/principal_name.hpp"

namespace scratchpage {

namespace {

/// Whether the question waited for an answer when `input` was said. Who hears the input
/// before may have resolved it meanwhile.
bool waited_for(const observation& question, const observation& input) {
  if (is_live(question.status))
    return true;
  if (question.status != status::resolved || !question.resolved_by)
    return false;
  const auto& turn = question.resolved_by->turn_id;
  return turn.empty() ? question.resolved_by->at >= input.created_at : turn == input.source.turn_id;
}

/// Whether whoever says `input` settled the question themself, and before. They know that it is
/// over; what anybody else does with a question, they need not have seen.
bool was_settled_by_speaker(const observation& question, const observation& input) {
  if (!question.resolved_by)
    return false;
  const auto& by = *question.resolved_by;
  auto is_speaker = by.kind == input.source.kind && by.name == input.source.name
                    && by.relayed_by == input.source.relayed_by;
  return is_speaker
         && (by.turn_id.empty() ? by.at < input.created_at : by.turn_id != input.source.turn_id);
}

/// When a question was over that waits no longer.
timestamp end_of(const observation& question) {
  if (question.resolved_by)
    return question.resolved_by->at;
  return question.status == status::expired ? question.expires_at : question.updated_at;
}

bool is_of_ensemble(const observation& x) {
  return x.source.kind == source_kind::daemon && is_component(x.source.name);
}

/// Nobody knows in which thread a question was shown that names none, and a person does not see
/// how two threads differ whose names look the same. An id that no thread can have is read no
/// further: anybody may write any number of long ones.
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
         && !(is_of_ensemble(question) && is_of_another(question, input));
}

/// Whether `context.<key>` is there, and is no empty list.
bool is_given(const observation& input, std::string_view key) {
  const auto* value = at_path(input.context, key);
  const auto* list = value != nullptr ? value->if_array() : nullptr;
  return value != nullptr && (list == nullptr || !list->empty());
}

} // namespace

/// Numbers in ids only grow, and the day before them, too.
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
  return waited_for(question, input) && may_have_seen(question, input);
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
