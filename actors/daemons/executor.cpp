#include "scratchpage/actors/daemons/executor.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/policies/ambiguity_policy.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// The toolbox answers at the tool's timeout at the latest; the message may take so much longer.
constexpr timespan grace = std::chrono::seconds{5};

/// Facts about the tools of one plan that are read, the closest first.
constexpr uint32_t max_facts = 100;

/// Whether a suggestion may redirect calls to the tool `prefer`. A suggestion by a tool counts only
/// if the manifest of the planned tool lists `prefer` as an alternative.
bool may_prefer(const observation& x, const tool_manifest* instead_of, const std::string& prefer) {
  if (!is_from_tool(x))
    return true;
  return instead_of != nullptr
         && std::find(instead_of->alternatives.begin(), instead_of->alternatives.end(), prefer)
              != instead_of->alternatives.end();
}

std::string list_of_tools(const call_plan& plan) {
  std::string result;
  for (const auto* call : plan.calls())
    result.append(result.empty() ? "" : ", ").append(call->tool_id);
  return result;
}

/// The tags that mandates match: why the call touches protected data, and the tool's permissions
/// and tags.
std::vector<std::string> tags_of(const protected_access& access, const tool_manifest* manifest) {
  auto result = access.tags;
  auto add = [&](const std::vector<std::string>& tags) {
    for (const auto& tag : tags)
      if (std::find(result.begin(), result.end(), tag) == result.end())
        result.push_back(tag);
  };
  if (manifest != nullptr) {
    add(manifest->permissions);
    add(manifest->tags);
  }
  return result;
}

} // namespace

executor_state::executor_state(handle::pointer self, daemon_setup setup, policies with,
  toolbox_actor tools, consciousness_actor consciousness, semantic_memory_actor facts)
  : deciding_daemon{self, std::move(setup), name, static_cast<uint32_t>(component::executor)},
    with_{std::move(with)},
    execution_{with_.execution},
    protected_data_{with_.protected_data},
    consent_{std::exchange(with_.consent, {})},
    tools_{std::move(tools)},
    consciousness_{std::move(consciousness)},
    facts_{std::move(facts)} {}

std::vector<observation_filter> executor_state::wanted() {
  observation_filter filter;
  filter.type = {"routing_decision", "recovery_plan"};
  return {filter};
}

void executor_state::react(const page_event& event, const ack_guard& done) {
  if (event.kind != event_kind::added)
    return;
  const auto& x = *event.observation;
  // An event that is delivered again is ignored. Only ids from the Router and the Error Handler are
  // remembered; otherwise anybody could block an input by naming it before it is routed.
  if (is_routers_decision(x) && begun_.insert(input_of(x)))
    begin(event, done);
  else if (is_handlers_plan(x) && begun_.insert(x.observation_id))
    recover(event, done);
}

// -- a plan begins --------------------------------------------------------------------

void executor_state::begin(const page_event& event, const ack_guard& done) {
  auto x = std::make_shared<execution>();
  x->by = as_me(event);
  from_string(text_member(event.observation->metadata, "urgency"), x->urgency);
  query<observation_ptr>(page(), get_observation{x->by, input_of(*event.observation)}, done,
    [this, x, done](observation_ptr& input) {
      if (!input || is_from_tool(*input))
        return;
      auto calls = read_plan(*input);
      auto plan = calls ? call_plan::make(std::move(*calls)) : calls.error();
      if (!plan) {
        trace_.write_error("plan", x->by, plan.error());
        return;
      }
      x->plan = std::move(*plan);
      x->context = context_about(*input);
      x->input = std::move(input);
      read_questions(x, done);
    });
}

void executor_state::read_page(const execution_ptr& x, const ack_guard& done) {
  if (x->plan.empty() && !x->hearing.allows_calls() && !with_.plan.own)
    return;
  query<tool_list>(tools_, list_tools{x->by}, done, [this, x, done](const tool_list& known) {
    for (const auto& manifest : known.tools)
      x->manifests.emplace(manifest->tool_id, manifest);
    get_active_observations wanted{x->by, get_active_observations::all_of_them, {}};
    if (!with_.plan.own)
      wanted.any_of = what_is_read();
    query<query_result>(page(), std::move(wanted), done,
      [this, x, done](const query_result& live) { read_facts(x, live.observations, done); });
  });
}

/// Selects the live observations that the execution of a plan depends on.
std::vector<observation_filter> executor_state::what_is_read() const {
  observation_filter of_types;
  of_types.type = execution_.live_types();
  observation_filter of_consent;
  of_consent.tags = {std::string{consent_policy::general_tag}};
  return {std::move(of_types), std::move(of_consent)};
}

/// Reads what is known about the plan's tools.
void executor_state::read_facts(
  const execution_ptr& x, const std::vector<observation_ptr>& live, const ack_guard& done) {
  auto tools = list_of_tools(x->plan);
  if (!facts_ || tools.empty())
    return choose_calls(x, live, done);
  query_facts wanted;
  wanted.by = x->by;
  wanted.text = utf8::prefix(tools, filter_limits::query_bytes);
  wanted.selects = true;
  wanted.min_confidence = execution_.fact_confidence();
  wanted.limit = max_facts;
  query<fact_list>(facts_, std::move(wanted), done, [this, x, live, done](const fact_list& found) {
    x->facts = found.facts;
    choose_calls(x, live, done);
  });
}

/// Lets a policy of the embedding program change the plan.
void executor_state::choose_calls(
  const execution_ptr& x, const std::vector<observation_ptr>& live, const ack_guard& done) {
  if (!with_.plan.own)
    return work_on(x, live, done);
  execution_case what{x->input, x->urgency, {}, {}, live};
  for (const auto* call : x->plan.calls())
    what.plan.push_back(*call);
  for (const auto& [id, manifest] : x->manifests)
    what.tools.push_back(manifest);
  auto check = [](const auto&) { return caf::error{}; }; // `take_plan` checks the calls
  decide<executor_policy>(with_.plan, x->by, std::move(what), done, check,
    [this, x, live](std::vector<planned_call>& calls, const ack_guard& work) {
      take_plan(*x, std::move(calls));
      work_on(x, live, work);
    });
}

/// Replaces the turn's plan, unless the new one is invalid.
void executor_state::take_plan(execution& x, std::vector<planned_call> calls) {
  auto plan = call_plan::make(std::move(calls));
  if (!plan) {
    trace_.write_error("plan", x.by, plan.error());
    return;
  }
  for (const auto* call : plan->calls())
    if (x.plan.find(call->call_id) == nullptr)
      x.added.push_back(*call);
  x.plan = std::move(*plan);
}

void executor_state::work_on(
  const execution_ptr& x, const std::vector<observation_ptr>& live, const ack_guard& done) {
  prepare(x, live);
  if (x->plan.empty())
    return;
  hold_turn_and(x->by, done, [this, x](const ack_guard& work) {
    remember(x->by.turn_id, x);
    announce(x, work);
  });
}

void executor_state::prepare(const execution_ptr& x, const std::vector<observation_ptr>& live) {
  x->consents = consent_.agrees_in_general(*x->input, live);
  use_suggestions(x, live);
  use_facts(x);
  x->hearing.resume_in(x->plan);
  leave_out_incomplete(x);
  if (execution_.verifies_first(live))
    x->plan.prioritise([&](const planned_call& call) {
      return execution_.is_verification(call, manifest_of(*x, call.tool_id));
    });
}

/// A live `action_suggestion` may prefer one tool to another; it names both.
void executor_state::use_suggestions(
  const execution_ptr& x, const std::vector<observation_ptr>& live) {
  for (const auto& suggestion : live) {
    if (suggestion->type != "action_suggestion")
      continue;
    auto instead_of = text_member(suggestion->metadata, "instead_of");
    auto prefer = text_member(suggestion->metadata, "prefer");
    if (instead_of.empty() || manifest_of(*x, prefer) == nullptr
        || !may_prefer(*suggestion, manifest_of(*x, instead_of), prefer))
      continue;
    for (const auto* call : x->plan.calls()) {
      if (call->tool_id != instead_of)
        continue;
      trace_.write("prefer_tool", x->by,
        {{"call_id", call->call_id}, {"tool_id", prefer}, {"instead_of", instead_of},
          {"observation_id", suggestion->observation_id}});
      x->plan.replace_tool(call->call_id, prefer);
    }
  }
}

/// A fact may say that a tool needs more time, or that another one can stand in for it. A call that
/// a user has consented to joins the plan later and is made as it was allowed.
void executor_state::use_facts(const execution_ptr& x) {
  for (const auto* call : x->plan.calls()) {
    const auto* manifest = manifest_of(*x, call->tool_id);
    auto known = manifest != nullptr ? execution_.advice(*manifest, x->facts) : std::nullopt;
    if (!known)
      continue;
    auto detail = about(*call);
    detail["fact_id"] = known->fact_id;
    if (known->prefer.empty()) {
      detail["timeout_ms"] = known->timeout_ms;
      x->attempts[call->call_id].timeout_ms = known->timeout_ms;
    } else {
      const auto* other = manifest_of(*x, known->prefer);
      auto instead = *call;
      instead.tool_id = known->prefer;
      if (other == nullptr || missing_inputs(instead, *other))
        continue;
      detail["tool_id"] = known->prefer;
      detail["instead_of"] = call->tool_id;
      x->plan.replace_tool(call->call_id, known->prefer);
    }
    trace_.write("use_fact", x->by, std::move(detail));
  }
}

/// Skips calls that lack inputs; the CLARIFIER asks the user for them.
void executor_state::leave_out_incomplete(const execution_ptr& x) {
  for (const auto* call : x->plan.calls()) {
    const auto* manifest = manifest_of(*x, call->tool_id);
    if (manifest == nullptr || !missing_inputs(*call, *manifest))
      continue;
    trace_.write("leave_out", x->by, about(*call), "warning");
    x->plan.ended(call->call_id, call_outcome::skipped);
  }
}

void executor_state::announce(const execution_ptr& x, const ack_guard& work) {
  auto parallel = execution_.parallel_limit(x->urgency) > 1;
  auto count = x->plan.calls().size();
  observation_draft draft;
  draft.type = "execution_plan";
  draft.content = "Executing " + std::to_string(count) + (count == 1 ? " call" : " calls")
                  + (count == 1 ? ""
                     : parallel ? " in parallel"
                                : " one after another")
                  + ": " + list_of_tools(x->plan);
  draft.content = utf8::shortened(draft.content, with_.config.result_bytes);
  draft.confidence = 0.9;
  draft.tags = {"execution", "plan"};
  draft.context = x->context;
  draft.metadata["parallel"] = parallel;
  draft.metadata["calls"] = count;
  auto more = x->added;
  more.insert(more.end(), x->hearing.resumed().begin(), x->hearing.resumed().end());
  write_resumed(draft, more);
  x->by.cause = trace_.write("plan", x->by, {{"calls", count}, {"parallel", parallel}});
  publish(x->by, std::move(draft), work);
  refuse_unknown_calls(x, work);
  go_on(x, work);
}

// -- calls ----------------------------------------------------------------------------

void executor_state::go_on(const execution_ptr& x, const ack_guard& work) {
  for (const auto& id : x->plan.take_skipped())
    trace_.write("skip_call", x->by, {{"call_id", id}}, "warning");
  for (const auto* call : x->plan.ready(execution_.parallel_limit(x->urgency))) {
    x->plan.started(call->call_id);
    start(x, *call, work);
  }
}

void executor_state::start(
  const execution_ptr& x, const planned_call& call, const ack_guard& work) {
  const auto* manifest = manifest_of(*x, call.tool_id);
  if (manifest == nullptr)
    return refuse_unknown(x, call, work);
  auto access = protected_data_.assess(call, manifest);
  if (access.touches)
    check_mandates(x, call, access, work);
  else
    look_up(x, call, work);
}

void executor_state::check_mandates(const execution_ptr& x, const planned_call& call,
  const protected_access& access, const ack_guard& work) {
  observation_draft alert;
  alert.type = "security_alert";
  alert.content = "Accessing protected data with " + call.tool_id;
  alert.confidence = 0.99;
  alert.tags = {"security"};
  for (const auto& tag : access.tags)
    if (utf8::length(tag) <= 64 && alert.tags.size() < 32)
      alert.tags.push_back(tag);
  alert.context = x->context;
  alert.metadata = about(call);
  alert.metadata["reasons"] = to_json(access.reasons);
  proposal about_to{x->by, "tool_call", call.tool_id,
    tags_of(access, manifest_of(*x, call.tool_id)), call.inputs, x->consents,
    x->hearing.confirmation_of(call) != nullptr};
  publish(x->by, std::move(alert), work,
    [this, x, call, about_to = std::move(about_to), work](const receipt& stored) {
      auto alert_id = stored.observation ? stored.observation->observation_id : "";
      // Without an answer, the call is not allowed.
      verdict silence{verdict_kind::deny, "", "the Consciousness did not answer"};
      ask(self_, consciousness_, request_timeout(), about_to)
        .then([this, x, call, alert_id, work](
                const verdict& said) { obey(x, call, alert_id, said, work); },
          [this, x, call, alert_id, work, silence](const caf::error& err) {
            trace_.write_error("judge", x->by, err);
            obey(x, call, alert_id, silence, work);
          });
    });
}

void executor_state::obey(const execution_ptr& x, const planned_call& call,
  const std::string& alert_id, const verdict& answer, const ack_guard& work) {
  auto allowed = answer.kind == verdict_kind::allow;
  auto detail = about(call);
  detail["verdict"] = name_of(answer.kind);
  detail["mandate_id"] = answer.mandate_id;
  trace_.write(
    "check_mandates", x->by, std::move(detail), allowed ? "success" : name_of(errc::forbidden));
  constexpr std::array<std::string_view, 3> words{"approved", "denied", "waits for the user"};
  observation_draft check;
  check.type = "constraint_check";
  check.content = "Access to protected data with " + call.tool_id + " "
                  + std::string{words[static_cast<size_t>(answer.kind)]}
                  + (answer.reason.empty() ? "" : ": " + answer.reason);
  check.confidence = 0.99;
  check.tags = {"security", "constraint"};
  check.context = x->context;
  check.metadata = about(call);
  check.metadata["verdict"] = name_of(answer.kind);
  check.metadata["mandate_id"] = answer.mandate_id;
  check.metadata["alert_id"] = alert_id;
  if (const auto* confirmed = x->hearing.confirmation_of(call))
    check.metadata["confirmation_id"] = confirmed->question_id;
  publish(x->by, std::move(check), work);
  if (allowed) {
    resolve_alert(x->by, alert_id, work);
    look_up(x, call, work);
    return;
  }
  if (answer.kind == verdict_kind::ask_user)
    ask_user(x, call, alert_id, answer.reason, work);
  end(x, call.call_id, call_outcome::skipped, work);
}

/// Runs the call's query of the page, whose result the tool is given.
void executor_state::look_up(
  const execution_ptr& x, const planned_call& call, const ack_guard& work) {
  if (!call.scratch_page_query) {
    invoke(x, call, {}, work);
    return;
  }
  query_observations wanted{.by = as_tool(call.tool_id, x->by.turn_id, x->by.cause),
    .text = {},
    .filter = call.scratch_page_query->filters,
    .limit = call.scratch_page_query->limit,
    .cursor = {},
    .deadline = {}};
  query<query_result>(
    page(), std::move(wanted), work, [this, x, call, work](const query_result& found) {
      std::vector<scratch_page_entry> context;
      for (const auto& one : found.observations)
        context.push_back(
          {one->observation_id, one->type, one->content, one->confidence, one->created_at});
      invoke(x, call, std::move(context), work);
    });
}

void executor_state::invoke(const execution_ptr& x, const planned_call& call,
  std::vector<scratch_page_entry> context, const ack_guard& work) {
  auto& how = x->attempts[call.call_id];
  how.called.insert(call.tool_id);
  const auto* manifest = manifest_of(*x, call.tool_id);
  tool_request request;
  request.request_id = x->by.turn_id + "/" + call.call_id;
  request.tool_id = call.tool_id;
  request.inputs = call.inputs;
  request.thread_id = text_member(x->input->context, "thread_id");
  request.planned_by = x->input->source.relayed_by.text();
  request.scratch_page_query = call.scratch_page_query;
  request.scratch_page_context = std::move(context);
  request.attempt = how.number;
  request.timeout_ms = how.timeout_ms > 0    ? how.timeout_ms
                       : manifest != nullptr ? manifest->timeout_ms
                                             : tool_manifest{}.timeout_ms;
  auto timeout = from_milliseconds(request.timeout_ms) + grace;
  auto started = setup().agent.clock->steady();
  auto by = x->by;
  by.cause = trace_.write("call_tool", by,
    {{"call_id", call.call_id}, {"tool_id", call.tool_id}, {"attempt", how.number}});
  request.cause = by.cause;
  ask(self_, tools_, timeout, std::move(request))
    .then([this, x, call, by, started, work](
            const tool_response& response) { on_response(x, call, by, response, started, work); },
      [this, x, call, by, started, work](const caf::error& err) {
        tool_response response;
        response.status =
          code_of(err) == errc::deadline_exceeded ? tool_status::timeout : tool_status::error;
        response.outputs["error"] = describe(err);
        on_response(x, call, by, response, started, work);
      });
}

void executor_state::on_response(const execution_ptr& x, const planned_call& call, caller by,
  const tool_response& response, timespan started, const ack_guard& work) {
  auto took = in_milliseconds(setup().agent.clock->steady() - started);
  auto ok = response.status == tool_status::ok || response.status == tool_status::partial;
  auto detail = about(call);
  detail["attempt"] = x->attempts[call.call_id].number;
  auto is_missing = is_unanswered(response.status, response.outputs);
  if (is_missing)
    detail["unanswered"] = true;
  if (!ok)
    detail["error"] = utf8::shortened(error_text(response), with_.config.result_bytes);
  by.cause = trace_.write("tool_response", by, std::move(detail),
    is_missing ? "warning"
    : ok       ? "success"
               : name_of(response.status),
    started);
  auto by_tool = as_tool(call.tool_id, by.turn_id, by.cause);
  store_reports(x, call, by_tool, response, work);
  if (ok)
    store_result(x, call, by_tool, response, took, work);
  else
    raise_error(x, call, by, response, took, work);
  end(x, call.call_id,
    is_missing ? call_outcome::unanswered
    : ok       ? call_outcome::succeeded
               : call_outcome::failed,
    work);
}

void executor_state::end(
  const execution_ptr& x, const std::string& call_id, call_outcome outcome, const ack_guard& work) {
  x->plan.ended(call_id, outcome);
  go_on(x, work);
}

// -- helpers --------------------------------------------------------------------------------

const tool_manifest* executor_state::manifest_of(
  const execution& x, const std::string& tool_id) const {
  auto i = x.manifests.find(tool_id);
  return i == x.manifests.end() ? nullptr : i->second.get();
}

void executor_state::remember(const std::string& turn_id, execution_ptr x) {
  auto& known = executions_[turn_id];
  if (known)
    ages_.erase(known->age);
  x->age = ++age_;
  ages_.emplace(x->age, turn_id);
  known = std::move(x);
  if (executions_.size() <= with_.config.max_executions)
    return;
  executions_.erase(ages_.begin()->second);
  ages_.erase(ages_.begin());
}

} // namespace scratchpage
