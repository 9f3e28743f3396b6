#include "scratchpage/runtime/models/questions.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/models/chat.hpp"

namespace scratchpage::models {

namespace {

std::string bounded(std::string_view text) {
  return utf8::shortened(std::string{text}, model_limits::text_bytes);
}

/// An object as text: a model reads it as well, and it can be bounded.
std::string bounded(const json::object& x) {
  return x.empty() ? std::string{} : bounded(to_text(x));
}

json::object said(const std::string& from, std::string_view text) {
  return {{"from", from}, {"text", bounded(text)}};
}

json::object said(const observation& x) {
  return {{"observation_id", x.observation_id}, {"type", x.type}, {"from", said_by(x.source)},
    {"text", bounded(x.content)}, {"confidence", x.confidence}};
}

/// At most `model_limits::texts` of a list, those at its end, as `tell` puts each.
template <class List, class Tell>
json::array last_of(const List& all, Tell tell) {
  json::array result;
  auto first = all.size() - std::min(all.size(), model_limits::texts);
  for (auto i = first; i < all.size(); ++i)
    result.emplace_back(tell(all[i]));
  return result;
}

json::array said_by_all(const std::vector<observation_ptr>& all) {
  std::vector<observation_ptr> there;
  std::copy_if(all.begin(), all.end(), std::back_inserter(there),
    [](const observation_ptr& x) { return static_cast<bool>(x); });
  return last_of(there, [](const observation_ptr& x) { return said(*x); });
}

json::array texts_of(const std::vector<std::string>& all) {
  return last_of(all, [](const std::string& x) { return json::value(bounded(x)); });
}

/// Alerts and open questions. Their order on the page is not known, so they are sorted: the same
/// page gives the same question.
std::vector<observation_ptr> warnings_in(const std::vector<observation_ptr>& live) {
  std::vector<observation_ptr> result;
  for (const auto& x : live)
    if (x && (x->type.ends_with("alert") || x->type == "pending_confirmation"))
      result.push_back(x);
  std::sort(result.begin(), result.end(), [](const observation_ptr& a, const observation_ptr& b) {
    return a->observation_id < b->observation_id;
  });
  return result;
}

json::object planned(const planned_call& x) {
  return {{"call_id", x.call_id}, {"tool_id", x.tool_id}, {"inputs", bounded(x.inputs)}};
}

json::object made(const call_record& x) {
  json::object result{{"call_id", x.call_id}, {"tool_id", x.tool_id},
    {"outcome", name_of(x.outcome)}, {"inputs", bounded(x.inputs)}};
  if (!x.error.empty())
    result["error"] = said("tool " + x.tool_id, x.error);
  if (!x.outputs.empty())
    result["outputs"] = said("tool " + x.tool_id, to_text(x.outputs));
  return result;
}

} // namespace

json::object told(const routing_case& x) {
  return {{"input", said(*x.input)}, {"live", said_by_all(warnings_in(x.live))}};
}

json::object told(const clarifying_case& x) {
  auto tool = [](const manifest_ptr& one) {
    return json::object{{"tool_id", one->tool_id}, {"description", bounded(one->description)}};
  };
  return {{"tools", last_of(x.tools, tool)}, {"earlier_in_thread", texts_of(x.earlier)},
    {"plan", last_of(x.plan, planned)}, {"answers_earlier", x.answers_earlier},
    {"input", said(*x.input)}};
}

json::object told(const recovery_case& x) {
  const auto& what = x.what;
  const auto& alternatives = x.tool ? x.tool->alternatives : what.alternatives;
  auto is_idempotent = x.tool ? x.tool->idempotent : what.idempotent.value_or(false);
  json::object result{{"tool_id", what.tool_id}, {"status", name_of(what.status)},
    {"idempotent", is_idempotent}, {"alternatives", texts_of(alternatives)},
    {"tried", texts_of(what.tried)}, {"attempts", x.attempts},
    {"error", said(x.alert ? said_by(x.alert->source) : "tool " + what.tool_id, what.error)}};
  if (x.tool)
    result["description"] = bounded(x.tool->description);
  if (!what.outputs.empty())
    result["outputs"] = said("tool " + what.tool_id, to_text(what.outputs));
  return result;
}

json::object told(const evaluation_input& x) {
  json::object result{{"input", said("user", x.input)}, {"calls", last_of(x.calls, made)},
    {"noticed", said_by_all(x.noticed)}, {"open_questions", texts_of(x.open_questions)},
    {"answers_not_taken", texts_of(x.unheard)}, {"pending_review", said_by_all(x.pending_review)}};
  if (!x.response.empty())
    result["response"] = said("agent", x.response);
  return result;
}

json::object told(const turn_story& x) {
  std::vector<observation_ptr> spoken;
  for (const auto& one : x.observations)
    if (one && one->source.kind == source_kind::user)
      spoken.push_back(one);
  std::reverse(spoken.begin(), spoken.end()); // the latest come first in a story
  return {{"outcome", name_of(x.outcome)}, {"calls", last_of(x.calls, made)},
    {"observations", said_by_all(spoken)}};
}

} // namespace scratchpage::models
