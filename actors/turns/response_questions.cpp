#include "scratchpage/actors/turns/response_questions.hpp"

#include <string>
#include <utility>

#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/policies/reply_reading.hpp"
#include "scratchpage/actors/policies/response_reading.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view waited_inputs = "waited_inputs";

std::optional<waiting_kind> kind_of(const observation& x) {
  waiting_kind result{};
  if (from_string(text_member(x.metadata, "kind"), result))
    return result;
  return std::nullopt;
}

uint32_t inputs_waited(const observation& x) {
  const auto* count = x.metadata.if_contains(waited_inputs);
  boost::json::error_code ec;
  auto result = count != nullptr && count->is_number() ? count->to_number<uint32_t>(ec) : 0;
  return ec ? 0 : result;
}

} // namespace

std::optional<observation_draft> question_in(const observation& response) {
  auto said = read_response(response.content);
  if (!said.waits || said.question.empty())
    return std::nullopt;
  observation_draft draft;
  draft.type = "pending_confirmation";
  draft.content = said.question;
  draft.confidence = 0.9;
  draft.tags = {"waiting", to_string(*said.waits)};
  draft.owner = "user";
  draft.context = context_about(response);
  draft.metadata["kind"] = name_of(*said.waits);
  draft.metadata["question"] = std::move(said.question);
  draft.metadata["response_id"] = response.observation_id;
  return draft;
}

bool is_response_question(const observation& x) {
  return x.type == "pending_confirmation" && x.source.kind == source_kind::daemon
         && x.source.name == "clarifier" && kind_of(x);
}

waiting_question waiting_of(const observation& x) {
  auto other = read_consent_question(x) ? waiting_kind::confirm : waiting_kind::inputs;
  return {x.observation_id, kind_of(x).value_or(other), question_of(x)};
}

std::optional<answer_kind> answer_to(const observation& asked, const observation& input) {
  auto kind = kind_of(asked);
  return kind ? read_reply(input.content, *kind, asked.content) : std::nullopt;
}

observation_changes answered(const observation& asked, const observation& input, answer_kind how) {
  observation_changes result;
  result.status = status::resolved;
  result.metadata = asked.metadata;
  auto& told = *result.metadata;
  told["resolved_as"] = name_of(how);
  told["answer"] = input.content;
  told["answered_by"] = name_of(source_kind::user);
  told["answer_id"] = input.observation_id;
  return result;
}

observation_changes waited(const observation& asked, uint32_t most) {
  observation_changes result;
  auto count = inputs_waited(asked) + 1;
  if (count >= most) {
    result.status = status::archived;
    return result;
  }
  result.metadata = asked.metadata;
  (*result.metadata)[waited_inputs] = count;
  return result;
}

} // namespace scratchpage
