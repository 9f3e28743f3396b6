#include "scratchpage/actors/daemons/team.hpp"

#include <algorithm>
#include <cmath>

#include "scratchpage/actors/turns/outside_work.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t max_alerts = 100; // earlier alerts about one call that are read

/// What an agent says of the tool that it has called: the ensemble has no manifest of it.
void take_report(failure& x, const observation& alert) {
  if (!is_reported(alert))
    return;
  if (const auto* said = alert.metadata.if_contains("idempotent"); said && said->is_bool())
    x.idempotent = said->get_bool();
  if (const auto* said = alert.metadata.if_contains("alternatives"))
    if (auto tools = from_json<std::vector<std::string>>(*said))
      x.alternatives = std::move(*tools);
}

failure failure_of(const observation& alert) {
  failure x;
  x.call_id = text_member(alert.metadata, "call_id");
  x.tool_id = text_member(alert.metadata, "tool_id");
  x.status = tool_status::error;
  from_string(text_member(alert.metadata, "status"), x.status);
  x.error = text_member(alert.metadata, "error");
  if (x.error.empty())
    x.error = alert.content; // the alert gives no details
  if (const auto* outputs = alert.metadata.if_contains("outputs"); outputs && outputs->is_object())
    x.outputs = outputs->get_object();
  if (const auto* timeout = alert.metadata.if_contains("timeout_ms");
      timeout && timeout->is_number())
    x.timeout_ms = timeout->to_number<double>();
  take_report(x, alert);
  return x;
}

/// The number of attempts with the same tool, as the alert says; at least 1.
unsigned attempts_until(const observation& alert) {
  unsigned result = 1;
  if (const auto* number = alert.metadata.if_contains("attempt"); number && number->is_number()) {
    boost::json::error_code ec;
    auto told = number->to_number<unsigned>(ec);
    result = std::max(result, ec ? 1 : told);
  }
  return result;
}

bool is_same_source(const observation& a, const observation& b) {
  return a.source.kind == b.source.kind && a.source.name == b.source.name;
}

/// Whether the Executor raised the alert, or TURNS did for an agent that calls its tools itself.
bool is_alert_about_call(const observation& alert) {
  return is_executors_alert(alert) || is_reported(alert);
}

/// The call that the alert is about, if it is one about a call; nobody else knows of calls.
/// The call id of any other alert goes into the plan's context (`context_of`), where it has no
/// effect.
std::string call_of(const observation& alert) {
  return is_alert_about_call(alert) ? text_member(alert.metadata, "call_id") : std::string{};
}

json::object context_of(const observation& alert) {
  auto result = context_about(alert);
  auto call = text_member(alert.context, "call_id");
  if (!call.empty() && call.size() <= turn_limits::id_bytes)
    result["call_id"] = call;
  return result;
}

/// The plan quotes the alert's error, and so it names the source of an alert that is not the
/// Executor's.
std::string content_of(const recovery& plan, const observation& alert) {
  return is_alert_about_call(alert)
           ? plan.description
           : "About an alert of " + said_by(alert.source) + ": " + plan.description;
}

observation_draft recovery_draft(
  const observation& alert, const failure& what, const recovery& found) {
  observation_draft draft;
  draft.type = "recovery_plan";
  draft.content = content_of(found, alert);
  draft.confidence = found.confidence;
  draft.tags = {"recovery", std::string{name_of(found.action)}};
  if (!what.tool_id.empty())
    draft.tags.emplace_back(utf8::prefix(what.tool_id, 64));
  draft.context = context_of(alert);
  draft.metadata = to_json(found).get_object();
  if (auto call = call_of(alert); !call.empty())
    draft.metadata["call_id"] = call;
  draft.metadata["tool_id"] = what.tool_id;
  draft.metadata["error_alert_id"] = alert.observation_id;
  return draft;
}

caf::error check(const recovery& x) {
  if (utf8::is_blank(x.description))
    return fail(errc::invalid_observation, "description", "expected a text that is not blank");
  if (x.backoff < timespan{0})
    return fail(errc::invalid_observation, "backoff_ms", "expected at least 0");
  if (!std::isfinite(x.timeout_ms) || x.timeout_ms < 0)
    return fail(errc::invalid_observation, "timeout_ms", "expected a number that is at least 0");
  return {};
}

} // namespace

error_handler_state::error_handler_state(handle::pointer self, daemon_setup setup,
  policy_choice<error_handler_policy> policy, toolbox_actor tools)
  : deciding_daemon{self, std::move(setup), name, static_cast<uint32_t>(component::error_handler)},
    policy_{std::move(policy)},
    tools_{std::move(tools)} {}

std::vector<observation_filter> error_handler_state::wanted() {
  observation_filter filter;
  filter.type = {"error_alert"};
  return {filter};
}

void error_handler_state::react(const page_event& event, const ack_guard& done) {
  if (event.kind != event_kind::added)
    return;
  auto by = as_me(event);
  query_observations earlier{
    .by = by, .text = {}, .filter = {}, .limit = max_alerts, .cursor = {}, .deadline = {}};
  earlier.filter.type = {"error_alert"};
  earlier.filter.source = {event.observation->source.name};
  earlier.filter.turn_id = event.observation->source.turn_id;
  if (auto call = text_member(event.observation->metadata, "call_id"); !call.empty())
    earlier.filter.context["call_id"] = json::value(call);
  query<query_result>(page(), std::move(earlier), done,
    [this, by, alert = event.observation, done](const query_result& found) {
      query<tool_list>(tools_, list_tools{by}, done,
        [this, by, alert, earlier = found.observations, done](
          const tool_list& known) { plan(by, alert, earlier, known.tools, done); });
    });
}

void error_handler_state::plan(const caller& by, const observation_ptr& alert,
  const std::vector<observation_ptr>& earlier, const manifest_list& tools, const ack_guard& done) {
  auto what = failure_of(*alert);
  auto attempts = attempts_until(*alert); // earlier alerts may have expired
  unsigned known = 0;
  for (const auto& one : earlier) {
    if (!is_same_source(*one, *alert))
      continue; // alerts of other sources do not count
    auto tool = text_member(one->metadata, "tool_id");
    known += tool == what.tool_id ? 1 : 0;
    what.tried.push_back(std::move(tool));
  }
  auto manifest = std::find_if(
    tools.begin(), tools.end(), [&](const manifest_ptr& x) { return x->tool_id == what.tool_id; });
  recovery_case failed{what, alert, {}, std::max(attempts, known)};
  if (manifest != tools.end())
    failed.tool = **manifest;
  failed.by = by;
  auto is_valid = [alert, what](const recovery& x) {
    auto err = check(x);
    return err ? err : check_draft(recovery_draft(*alert, what, x));
  };
  decide<error_handler_policy>(policy_, by, std::move(failed), done, is_valid,
    [this, by, alert, what](const recovery& decided, const ack_guard& work) {
      publish_plan(by, *alert, what, decided, work);
    });
}

void error_handler_state::publish_plan(caller by, const observation& alert, const failure& what,
  const recovery& found, const ack_guard& done) {
  by.cause = trace_.write("plan_recovery", by,
    {{"call_id", what.call_id}, {"tool_id", what.tool_id},
      {"error_class", name_of(found.error_class)}, {"action", name_of(found.action)}});
  publish(std::move(by), recovery_draft(alert, what, found), done);
}

} // namespace scratchpage
