#include "scratchpage/actors/policies/meant_questions.hpp"

#include <algorithm>

#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/messages/component_names.hpp"

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

bool is_of_ensemble(const observation& x) {
  return x.source.kind == source_kind::daemon && is_component(x.source.name);
}

/// Nobody knows in which thread a question was shown that names none.
bool may_be_in_thread_of(const observation& question, const observation& input) {
  auto thread = text_at(question.context, "thread_id");
  return thread.empty() || thread == text_at(input.context, "thread_id");
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
  auto user = text_at(asked.context, "user_id");
  return !user.empty() && user != text_at(input.context, "user_id") && !is_by_owner(input);
}

bool may_be_meant(const observation& question, const observation& input) {
  return question.type == "pending_confirmation" && came_before(question, input)
         && waited_for(question, input) && may_be_in_thread_of(question, input)
         && !(is_of_ensemble(question) && is_of_another(question, input));
}

bool names_id(const observation& input, std::string_view key, const std::string& id) {
  const auto* value = at_path(input.context, key);
  if (value == nullptr)
    return false;
  auto is_id = [&](const json::value& x) { return x.is_string() && x.get_string() == id; };
  const auto* list = value->if_array();
  return list != nullptr ? std::any_of(list->begin(), list->end(), is_id) : is_id(*value);
}

bool names_answered(const observation& input) {
  return is_from_person(input) && input.context.contains("answers");
}

bool names_questions(const observation& input) {
  return names_answered(input) || is_given(input, "confirms") || is_given(input, "declines");
}

} // namespace scratchpage
