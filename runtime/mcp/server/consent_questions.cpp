#include "scratchpage/runtime/mcp/server/consent_questions.hpp"

#include <utility>

#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

namespace scratchpage::mcp {

namespace {

constexpr std::string_view field = "answer";
constexpr std::string_view yes = "Yes, once";
constexpr std::string_view no = "No";

/// The refusal comes first and there is no default, so that a client that fills in forms by itself
/// agrees to nothing.
json::object form_for(const observation& asked) {
  json::object choice{{"type", "string"}, {"title", "May this call be made?"},
    {"enum", json::array{view(no), view(yes)}}};
  json::object schema{{"type", "object"}, {"properties", {{view(field), std::move(choice)}}},
    {"required", json::array{view(field)}}};
  return {{"mode", "form"},
    {"message", "The agent wants to make a call that needs your permission. Only you, the person "
                "who uses this program, may answer.\n\n"
                  + asked.content + "\n\nIf you agree, the call is made once."},
    {"requestedSchema", std::move(schema)}};
}

std::string name_of(consent_answer x) {
  return x == consent_answer::yes_once ? "yes_once" : x == consent_answer::no ? "no" : "none";
}

consent_answer answer_to(const std::string& id, const answers& got) {
  auto found = got.find(id);
  return found != got.end() ? read_consent(found->second) : consent_answer::none;
}

json::array ids_with(consent_answer wanted, const asked_consents& asked, const answers& got) {
  json::array result;
  for (const auto& [id, x] : asked)
    if (answer_to(id, got) == wanted)
      result.emplace_back(id);
  return result;
}

} // namespace

json::object to_kept(const asked_consents& x) {
  json::object result;
  for (const auto& [id, one] : x)
    result[id] = json::object{{"thread_id", one.thread_id}, {"user", one.user}};
  return result;
}

asked_consents from_kept(const json::object& x) {
  asked_consents result;
  for (const auto& [id, one] : x)
    if (const auto* of = one.if_object())
      result.emplace(id, asked_consent{id, text_in(*of, "thread_id").value_or(""),
                           text_in(*of, "user").value_or("")});
  return result;
}

consent_answer read_consent(const json::object& answer) {
  const auto* content = object_in(answer, "content");
  if (text_of(answer, "action") != "accept" || content == nullptr)
    return consent_answer::none;
  auto said = text_of(*content, field);
  return said == yes  ? consent_answer::yes_once
         : said == no ? consent_answer::no
                      : consent_answer::none;
}

std::optional<json::object> consent_turn(
  const asked_consents& asked, const answers& got, std::string_view client) {
  auto confirms = ids_with(consent_answer::yes_once, asked, got);
  auto declines = ids_with(consent_answer::no, asked, got);
  if (confirms.empty() && declines.empty())
    return std::nullopt;
  json::object context{{"channel", "elicitation"}, {"client", view(client)}};
  json::object result{{"input", view(confirms.empty() ? no : yes)}};
  if (!confirms.empty())
    context["confirms"] = std::move(confirms);
  if (!declines.empty())
    context["declines"] = std::move(declines);
  if (const auto& thread = asked.begin()->second.thread_id; !thread.empty())
    result["thread_id"] = thread;
  result["context"] = std::move(context);
  return result;
}

json::array outcomes_of(const asked_consents& asked, const answers& got) {
  json::array result;
  for (const auto& [id, x] : asked)
    result.push_back({{"observation_id", id}, {"answer", name_of(answer_to(id, got))}});
  return result;
}

asked_consents consent_questions::take(
  const principal& client, const json::object& turn, questions& forms) {
  asked_consents result;
  const auto* all = member(turn, "observations");
  if (!person_ || all == nullptr || !all->is_array())
    return result;
  for (const auto& x : all->get_array()) {
    if (result.size() == elicitation_limits::of_turn)
      break;
    if (!x.is_object() || text_of(x.get_object(), "type") != "pending_confirmation")
      continue;
    auto one = from_json<observation>(x);
    auto asks = one && is_live(one->status) ? read_consent_question(*one) : std::nullopt;
    if (!asks || one->content.size() > elicitation_limits::message_bytes)
      continue;
    const auto& id = one->observation_id;
    asked_consent found{id, text_in(one->context, "thread_id").value_or(""), asks->user};
    if (!person_for(client, found) || !note(client.agent_id + '\0' + id))
      continue;
    forms.emplace(id, question{"elicitation/create", form_for(*one)});
    result.emplace(id, std::move(found));
  }
  return result;
}

/// False if it is known already.
bool consent_questions::note(const std::string& key) {
  if (!known_.insert(key).second)
    return false;
  order_.push_back(key);
  if (order_.size() > elicitation_limits::remembered) {
    known_.erase(order_.front());
    order_.pop_front();
  }
  return true;
}

} // namespace scratchpage::mcp
