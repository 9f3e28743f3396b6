#include "scratchpage/actors/policies/recovery_policy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scratchpage/actors/policies/deed_reading.hpp"
#include "scratchpage/actors/policies/error_reading.hpp"
#include "scratchpage/actors/policies/output_words.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

bool says_something(const json::value& x) {
  return !(
    x.is_null() || (x.is_bool() && !x.get_bool()) || (x.is_string() && x.get_string().empty()));
}

constexpr size_t max_cause_text = 160; // bytes of an error within a sentence
constexpr size_t told_words = 4; // from here on, the text of an error tells a person something

/// Whether a member tells of the failure itself, as the problem details of HTTP do (RFC 9457), and
/// is no part of what was asked for.
bool tells_of_failure(std::string_view member) {
  static const policies::word_set all{"error_class", "error_code", "error_message", "exit_code",
    "exitcode", "returncode", "return_code", "exit_status", "rc", "status_code", "http_status",
    "http_code", "type", "title", "instance", "path", "url", "timestamp", "request_id", "trace_id",
    "retry_after", "retryable"};
  std::string name{member};
  std::transform(name.begin(), name.end(), name.begin(),
    [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return all.contains(name) || policies::complaints().contains(name)
         || policies::states().contains(name) || policies::messages().contains(name);
}

/// Whether there is an output beside what tells of the error.
bool has_outputs(const json::object& outputs) {
  return std::any_of(outputs.begin(), outputs.end(), [](const auto& one) {
    return !tells_of_failure(std::string_view{one.key()}) && says_something(one.value());
  });
}

std::string quoted(const failure& what) {
  return what.error.empty() ? std::string{}
                            : " (" + utf8::shortened(what.error, max_cause_text) + ")";
}

/// The tool as a sentence names it. An alert of an agent need not name one.
std::string tool_in(const failure& what) {
  return what.tool_id.empty() ? "the tool that failed" : what.tool_id;
}

std::string untried(const failure& what, const tool_manifest* manifest) {
  const auto& known = manifest != nullptr ? manifest->alternatives : what.alternatives;
  for (const auto& one : known)
    if (!one.empty() && one != what.tool_id && !contains(what.tried, one))
      return one;
  return {};
}

std::string question_to_user(const failure& what, error_class kind) {
  switch (kind) {
  case error_class::permission:
    return "Ask the user for permission to use " + tool_in(what) + quoted(what);
  case error_class::invalid_input:
    return "Ask the user how to correct the inputs of " + tool_in(what) + quoted(what);
  case error_class::not_found:
    return "Ask the user what " + tool_in(what) + " is to look for instead" + quoted(what);
  default:
    return "Ask the user how to go on without " + tool_in(what) + quoted(what);
  }
}

bool may_be_repeated(const failure& what, const tool_manifest* manifest) {
  return manifest != nullptr ? manifest->idempotent : what.idempotent.value_or(false);
}

/// Whether nobody can say if the call did what it was to do, and doing it twice would matter. A
/// manifest that does not say that its tool is idempotent says little about a tool that only looks.
bool has_unknown_outcome(const failure& what, const tool_manifest* manifest, error_class kind) {
  if (may_be_repeated(what, manifest) || !leaves_outcome_open(what.error, kind))
    return false;
  auto is_said = manifest == nullptr && what.idempotent;
  return is_said || changes_by_name(what.tool_id).value_or(true);
}

/// Whether there is somebody to ask about an error that no rule knows: the one who reported the
/// call, or anybody who can make something of its text.
bool can_be_explained(const failure& what) {
  return what.idempotent || words_of(what.error).size() >= told_words;
}

} // namespace

std::optional<std::string> failure_in(std::string_view text) {
  if (text.starts_with("Error"))
    return std::string{text};
  if (!text.starts_with("{"))
    return std::nullopt;
  auto answer = parse_json(text, {.max_bytes = text.size(), .max_depth = 64});
  return answer && answer->is_object() ? failure_in(answer->get_object()) : std::nullopt;
}

std::optional<std::string> failure_in(const json::object& answer) {
  const auto* error = answer.if_contains("error");
  if (error == nullptr || !says_something(*error))
    return std::nullopt;
  if (error->is_string())
    return std::string{error->get_string()};
  if (error->is_object())
    if (const auto* message = error->get_object().if_contains("message");
        message != nullptr && message->is_string())
      return std::string{message->get_string()};
  return to_text(*error);
}

caf::error validate(const recovery_config& x, std::string_view path) {
  config_check check{path};
  check.range("max_attempts", x.max_attempts, 1, 100)
    .range("backoff_ms", x.backoff_ms, 0, 3'600'000)
    .range("backoff_factor", x.backoff_factor, 1, 100)
    .range("max_backoff_ms", x.max_backoff_ms, x.backoff_ms, 86'400'000)
    .range("timeout_factor", x.timeout_factor, 1, 100)
    .range("max_timeout_ms", x.max_timeout_ms, 1, 86'400'000);
  for (auto name : enum_names<error_class>) {
    auto key = std::string{name};
    auto i = x.classes.find(key);
    check.require(i != x.classes.end(), "classes." + key, "how to deal with it");
    if (i == x.classes.end())
      continue;
    const auto& actions = i->second.actions;
    auto can_end = !actions.empty()
                   && (actions.back() == recovery_action::escalate
                       || actions.back() == recovery_action::fail_gracefully);
    check.words("classes." + key + ".words", i->second.words)
      .require(can_end, "classes." + key + ".actions",
        "a list that ends with escalate or fail_gracefully, which can always be done");
  }
  for (const auto& [name, unused] : x.classes) {
    error_class known;
    check.require(
      from_string(name, known), "classes." + name, "one of " + all_names<error_class>());
  }
  for (auto name : enum_names<recovery_action>) {
    auto key = std::string{name};
    auto i = x.confidence.find(key);
    check.range("confidence." + key, i != x.confidence.end() ? i->second : -1, 0, 1);
  }
  return check.error();
}

recovery_policy::recovery_policy(recovery_config config)
  : config_{std::move(config)} {
  for (auto kind : config_.order)
    words_.emplace(kind, phrase_list{config_.classes.at(to_string(kind)).words});
}

error_class recovery_policy::classify(tool_status status, std::string_view error) const {
  if (status == tool_status::timeout)
    return error_class::timeout;
  auto words = words_of(error);
  for (auto kind : config_.order)
    if (words_.at(kind).find_in(words) != nullptr)
      return kind;
  return read_error(error);
}

recovery recovery_policy::decide(
  const failure& what, const tool_manifest* manifest, unsigned attempts_so_far) const {
  recovery plan;
  plan.error_class = classify(what.status, what.error);
  const auto& found = config_.classes.at(to_string(plan.error_class));
  plan.severity = found.severity;
  if (has_unknown_outcome(what, manifest, plan.error_class)) {
    plan.action = recovery_action::escalate;
    plan.severity = severity::high;
    plan.description = "Check or ask the user whether " + tool_in(what)
                       + " was done before it is done again" + quoted(what);
  } else {
    plan_first_possible(plan, what, manifest, attempts_so_far);
  }
  plan.confidence = config_.confidence.at(to_string(plan.action));
  return plan;
}

std::optional<recovery> recovery_policy::plan_for(scratchpage::error_class kind,
  recovery_action action, const failure& what, const tool_manifest* manifest,
  unsigned attempts_so_far) const {
  auto is_open = has_unknown_outcome(what, manifest, kind)
                 || has_unknown_outcome(what, manifest, classify(what.status, what.error));
  if (is_open && action != recovery_action::escalate)
    return std::nullopt;
  recovery plan;
  plan.error_class = kind;
  plan.severity = is_open ? severity::high : config_.classes.at(to_string(kind)).severity;
  plan.action = action;
  if (!fill(plan, what, manifest, attempts_so_far))
    return std::nullopt;
  plan.confidence = config_.confidence.at(to_string(action));
  return plan;
}

void recovery_policy::plan_first_possible(recovery& plan, const failure& what,
  const tool_manifest* manifest, unsigned attempts_so_far) const {
  if (what.status == tool_status::partial) { // whatever kept it from the rest
    plan.action = recovery_action::partial;
    fill(plan, what, manifest, attempts_so_far);
    return;
  }
  for (auto action : config_.classes.at(to_string(plan.error_class)).actions) {
    plan.action = action;
    if (fill(plan, what, manifest, attempts_so_far))
      break;
  }
  auto turned_away = plan.error_class == error_class::transient && !may_be_repeated(what, manifest);
  auto unexplained = plan.error_class == error_class::other;
  if (plan.action == recovery_action::fail_gracefully && (turned_away || unexplained)
      && can_be_explained(what)) {
    plan.action = recovery_action::escalate;
    fill(plan, what, manifest, attempts_so_far);
  }
}

/// Completes the plan for its action. Returns false if the action is not possible.
bool recovery_policy::fill(
  recovery& plan, const failure& what, const tool_manifest* manifest, unsigned attempts) const {
  switch (plan.action) {
  case recovery_action::retry:
    return plan_retry(plan, what, manifest, attempts);
  case recovery_action::alternative:
    plan.alternative = untried(what, manifest);
    plan.description = "Use " + plan.alternative + " instead of " + tool_in(what);
    return !plan.alternative.empty();
  case recovery_action::partial:
    plan.description = "Go on with the part that " + tool_in(what) + " gave" + quoted(what);
    return what.status == tool_status::partial || has_outputs(what.outputs);
  case recovery_action::escalate:
    plan.description = question_to_user(what, plan.error_class);
    return true;
  case recovery_action::fail_gracefully:
    plan.description = "Go on without " + tool_in(what) + quoted(what);
    return true;
  }
  return false;
}

bool recovery_policy::plan_retry(
  recovery& plan, const failure& what, const tool_manifest* manifest, unsigned attempts) const {
  if (!may_be_repeated(what, manifest) || attempts >= config_.max_attempts)
    return false;
  auto waited = attempts > 0 ? attempts - 1 : 0;
  auto backoff =
    std::min(config_.backoff_ms * std::pow(config_.backoff_factor, waited), config_.max_backoff_ms);
  plan.backoff = std::chrono::microseconds{std::llround(backoff * 1000)};
  auto timeout = what.timeout_ms;
  if (timeout <= 0 && manifest != nullptr)
    timeout = manifest->timeout_ms;
  auto longer = plan.error_class == error_class::timeout;
  if (longer)
    timeout = std::max(timeout, std::min(timeout * config_.timeout_factor, config_.max_timeout_ms));
  plan.timeout_ms = timeout;
  plan.description = "Retry " + tool_in(what)
                     + (longer ? " with a longer timeout" : " after a short wait")
                     + (what.error.empty() || longer ? "" : quoted(what));
  return true;
}

} // namespace scratchpage
