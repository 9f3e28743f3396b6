#include "scratchpage/runtime/models/guards.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/output_reading.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/models/chat.hpp"

namespace scratchpage::models {

namespace {

caf::error refuse(std::string_view field, const std::string& expected) {
  return fail(errc::invalid_request, field, "expected " + expected);
}

bool is_text(std::string_view x) {
  return !utf8::is_blank(x) && x.size() <= model_limits::text_bytes;
}

/// Whether a list has at most `list_entries` texts, none of them blank or too long.
bool are_texts(const std::vector<std::string>& all) {
  return all.size() <= model_limits::list_entries
         && std::all_of(all.begin(), all.end(), [](const std::string& x) { return is_text(x); });
}

caf::error refuse_texts(std::string_view field) {
  return refuse(field, "at most " + std::to_string(model_limits::list_entries)
                         + " texts that are neither blank nor longer than "
                         + std::to_string(model_limits::text_bytes) + " bytes");
}

caf::error check_confidence(double x) {
  return x >= 0 && x <= 1 ? caf::error{} : refuse("confidence", "a number from 0 to 1");
}

bool is_alert_in(const std::vector<observation_ptr>& live, const std::string& id) {
  return std::any_of(live.begin(), live.end(), [&](const observation_ptr& x) {
    return x && x->observation_id == id && x->type.ends_with("alert");
  });
}

/// Whether something that happened, and not only how the rules read it, speaks against `complete`.
bool is_left_open(const evaluation_input& x, const evaluation& rules) {
  auto is_bad = [](const call_record& call) {
    if (call.outcome != call_outcome::succeeded)
      return true;
    auto found = read_outputs(call.outputs).finding;
    return found == output_finding::failed || found == output_finding::refused
           || found == output_finding::partial || found == output_finding::pending;
  };
  auto is_sent_back = [](const review& one) { return one.decision == review_decision::send_back; };
  return !x.is_known || !x.open_questions.empty() || !x.unheard.empty()
         || std::any_of(rules.reviews.begin(), rules.reviews.end(), is_sent_back)
         || std::any_of(x.calls.begin(), x.calls.end(), is_bad);
}

/// The rules' reviews, with what the model sends back beyond them.
caf::expected<std::vector<review>> reviewed(
  const std::vector<judged_review>& told, std::vector<review> rules) {
  if (told.size() > std::max(rules.size(), model_limits::list_entries))
    return refuse("reviews", "one for each observation under review");
  for (const auto& one : told) {
    auto mine = std::find_if(rules.begin(), rules.end(),
      [&](const review& x) { return x.observation_id == one.observation_id; });
    if (mine == rules.end())
      return refuse("reviews.observation_id", "an observation under review");
    if (one.decision == review_decision::resolve)
      continue;
    if (!is_text(one.reason))
      return refuse_texts("reviews.reason");
    if (mine->decision == review_decision::resolve)
      *mine = {one.observation_id, one.decision, one.reason};
  }
  return rules;
}

/// The user's observation that has the quoted words; null if there is none.
const observation* quoted_in(
  const turn_story& story, const quoted_lesson& x, const pii_masker* masker) {
  for (const auto& one : story.observations) {
    if (!one || one->observation_id != x.observation_id || one->source.kind != source_kind::user)
      continue;
    auto text = masker != nullptr ? masker->mask(one->content) : one->content;
    return text.find(x.quote) == std::string::npos ? nullptr : one.get();
  }
  return nullptr;
}

bool is_known_already(const std::vector<turn_lesson>& all, const std::string& statement) {
  auto words = words_of(statement);
  return std::any_of(
    all.begin(), all.end(), [&](const turn_lesson& x) { return words_of(x.statement) == words; });
}

} // namespace

caf::expected<urgency_assessment> decided(
  const router_answer& x, const routing_case& about, const urgency_assessment& rules) {
  if (auto err = check_confidence(x.confidence))
    return err;
  if (x.reasons.empty() || !are_texts(x.reasons))
    return refuse_texts("reasons");
  if (!are_texts(x.requests))
    return refuse_texts("requests");
  if (x.alert_ids.size() > model_limits::list_entries)
    return refuse_texts("alert_ids");
  urgency_assessment result{x.level, x.reasons, x.requests, rules.alerts};
  for (const auto& id : x.alert_ids) {
    if (!is_alert_in(about.live, id))
      return refuse("alert_ids", "ids of alerts of the page");
    if (std::find(result.alerts.begin(), result.alerts.end(), id) == result.alerts.end())
      result.alerts.push_back(id);
  }
  if (!rules.alerts.empty() && rules.level > result.level) {
    result.level = rules.level;
    result.reasons.insert(result.reasons.begin(), rules.reasons.begin(), rules.reasons.end());
  }
  return result;
}

caf::expected<std::vector<question>> decided(
  const clarifier_answer& x, const clarifying_case&, const std::vector<question>& rules) {
  if (auto err = check_confidence(x.confidence))
    return err;
  if (x.questions.size() > model_limits::questions)
    return refuse("questions", "at most " + std::to_string(model_limits::questions));
  std::vector<question> result;
  std::copy_if(rules.begin(), rules.end(), std::back_inserter(result),
    [](const question& one) { return !one.call_id.empty() || !one.field.empty(); });
  for (const auto& one : x.questions) {
    if (!is_text(one.text) || !is_text(one.reason))
      return refuse_texts("questions");
    question next;
    next.text = one.text;
    next.reason = one.reason;
    result.push_back(std::move(next));
  }
  return result;
}

caf::expected<recovery> decided(const error_handler_answer& x, const recovery_case& about,
  const recovery& rules, const recovery_policy& policy) {
  if (auto err = check_confidence(x.confidence))
    return err;
  if (!is_text(x.description))
    return refuse_texts("description");
  if (x.error_class == rules.error_class && x.action == rules.action
      && x.alternative == rules.alternative)
    return rules;
  auto result = policy.plan_for(
    x.error_class, x.action, about.what, about.tool ? &*about.tool : nullptr, about.attempts);
  if (!result)
    return refuse("action", "one that such a call allows");
  if (x.action == recovery_action::alternative && x.alternative != result->alternative)
    return refuse("alternative", "the next tool that can stand in");
  result->description = x.description;
  result->confidence = x.confidence;
  return std::move(*result);
}

caf::expected<evaluation> decided(
  const evaluator_answer& x, const evaluation_input& about, const evaluation& rules) {
  if (auto err = check_confidence(x.confidence))
    return err;
  if (!is_text(x.summary))
    return refuse_texts("summary");
  if (x.reasons.empty() || !are_texts(x.reasons))
    return refuse_texts("reasons");
  if (x.outcome == evaluation_outcome::complete && is_left_open(about, rules))
    return refuse("outcome", "another than complete, since something failed or is open");
  auto reviews = reviewed(x.reviews, rules.reviews);
  if (!reviews)
    return reviews.error();
  evaluation result{x.outcome, x.confidence, x.summary, x.reasons, std::move(*reviews)};
  auto is_sent_back = [](const review& one) { return one.decision == review_decision::send_back; };
  if (result.outcome == evaluation_outcome::complete
      && std::any_of(result.reviews.begin(), result.reviews.end(), is_sent_back))
    return refuse("outcome", "another than complete, since an observation is sent back");
  return result;
}

caf::expected<std::vector<turn_lesson>> decided(const reflector_answer& x, const turn_story& about,
  const std::vector<turn_lesson>& rules, const pii_masker* masker) {
  if (auto err = check_confidence(x.confidence))
    return err;
  if (x.lessons.size() > model_limits::list_entries)
    return refuse("lessons", "at most " + std::to_string(model_limits::list_entries));
  auto result = rules;
  for (const auto& one : x.lessons) {
    if (auto err = check_confidence(one.confidence))
      return err;
    if (!is_text(one.statement) || !are_texts(one.tags))
      return refuse_texts("lessons");
    const auto* from = one.quote.size() < model_limits::quote_bytes || utf8::is_blank(one.quote)
                         ? nullptr
                         : quoted_in(about, one, masker);
    if (from == nullptr)
      return refuse("lessons.quote", "words that a user said in that observation");
    if (is_known_already(result, one.statement))
      continue;
    turn_lesson next;
    next.type = "learning";
    next.statement = one.statement;
    next.tags = one.tags;
    next.observation_ids = {from->observation_id};
    next.confidence = one.confidence;
    next.fact_key = "said:" + joined(words_of(one.statement), " ");
    next.sources = {said_by(from->source)};
    result.push_back(std::move(next));
  }
  return result;
}

} // namespace scratchpage::models
