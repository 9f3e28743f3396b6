#include "scratchpage/actors/turns/outside_work.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t content_bytes = 2'000; // of the observation about a call

caf::error check_name(std::string_view field, const std::string& name, bool is_needed) {
  if (name.size() <= outside_work_limits::name_bytes && is_key_text(name)
      && !(is_needed && utf8::is_blank(name)))
    return {};
  return fail(errc::invalid_request, field,
    std::string{is_needed ? "expected a name of at most " : "expected at most "}
      + std::to_string(outside_work_limits::name_bytes) + " bytes of UTF-8, without U+0000");
}

caf::error check_object(std::string_view field, const json::object& x) {
  if (json_size(x, outside_work_limits::object_bytes) <= outside_work_limits::object_bytes)
    return {};
  return fail(errc::invalid_request, field,
    "expected at most " + std::to_string(outside_work_limits::object_bytes) + " bytes of JSON");
}

/// What went wrong: the error, or what the tool gave instead of it.
std::string error_of(const report_tool_call& x) {
  if (!x.error.empty())
    return x.error;
  if (auto text = text_member(x.outputs, "error"); !text.empty())
    return text;
  return x.status == tool_status::timeout ? "timeout" : to_text(x.outputs);
}

json::object about(const report_tool_call& x) {
  json::object result{{"reported", true}, {"call_id", x.call_id}, {"tool_id", x.tool_id},
    {"status", name_of(x.status)}, {"inputs", x.inputs}, {"outputs", x.outputs}};
  if (x.idempotent)
    result["idempotent"] = *x.idempotent;
  if (!x.alternatives.empty())
    result["alternatives"] = to_json(x.alternatives);
  if (x.duration_ms > 0)
    result["duration_ms"] = x.duration_ms;
  return result;
}

} // namespace

caf::error check_response(std::string_view response) {
  if (response.size() <= outside_work_limits::response_bytes && utf8::is_valid(response))
    return {};
  return fail(errc::invalid_request, "response",
    "expected UTF-8 of at most " + std::to_string(outside_work_limits::response_bytes) + " bytes");
}

observation_draft response_draft(std::string response, const observation& input) {
  observation_draft draft;
  draft.type = "agent_response";
  draft.content = std::move(response);
  draft.confidence = 1.0;
  draft.context = context_about(input);
  draft.metadata["turn_input_id"] = input.observation_id;
  return draft;
}

caf::error check_report(const report_tool_call& x) {
  for (const auto& [field, name, needed] :
    {std::tuple{"tool_id", &x.tool_id, true}, {"call_id", &x.call_id, false}})
    if (auto err = check_name(field, *name, needed))
      return err;
  for (const auto& [field, object] : {std::pair{"inputs", &x.inputs}, {"outputs", &x.outputs}})
    if (auto err = check_object(field, *object))
      return err;
  if (!utf8::is_valid(x.error))
    return fail(errc::invalid_request, "error", "expected valid UTF-8");
  if (!(x.duration_ms >= 0 && x.duration_ms <= begin_turn::longest_ms))
    return fail(
      errc::invalid_request, "duration_ms", "expected 0 to 604800000 milliseconds, a week at most");
  if (x.alternatives.size() > report_tool_call::most_alternatives)
    return fail(errc::invalid_request, "alternatives",
      "expected at most " + std::to_string(report_tool_call::most_alternatives) + " tools");
  for (const auto& one : x.alternatives)
    if (auto err = check_name("alternatives", one, true))
      return err;
  if (x.observations.size() > report_tool_call::most_observations)
    return fail(errc::invalid_request, "observations",
      "expected at most " + std::to_string(report_tool_call::most_observations) + " observations");
  return {};
}

bool is_failure(const report_tool_call& x) {
  return x.status == tool_status::error || x.status == tool_status::timeout || !x.error.empty();
}

observation_draft report_draft(const report_tool_call& x, const observation& input) {
  observation_draft draft;
  draft.context = context_about(input);
  draft.tags = {std::string{utf8::prefix(x.tool_id, 64)}};
  draft.metadata = about(x);
  if (!is_failure(x)) {
    draft.type = "tool_result";
    draft.confidence = x.status == tool_status::partial ? 0.5 : 0.9;
    draft.content = utf8::shortened(
      x.tool_id + ": " + (x.outputs.empty() ? "done" : to_text(x.outputs)), content_bytes);
    return draft;
  }
  auto error = error_of(x);
  draft.type = "error_alert";
  draft.confidence = 0.99;
  draft.tags.emplace_back("error");
  if (x.status == tool_status::timeout)
    draft.tags.emplace_back("timeout");
  draft.content = utf8::shortened("Tool '" + x.tool_id + "' failed: " + error, content_bytes);
  draft.context["call_id"] = x.call_id;
  draft.metadata["error"] = utf8::shortened(error, outside_work_limits::error_bytes);
  if (x.status == tool_status::ok || x.status == tool_status::partial)
    draft.metadata["status"] = name_of(tool_status::error);
  return draft;
}

caller reported_tool(const report_tool_call& x, const caller& reporter) {
  auto result = as_tool(x.tool_id, x.turn_id, reporter.cause);
  result.role = role::daemon; // TURNS writes for it, also what tools may not add
  result.relayed_by = reporter.name;
  return result;
}

bool is_reported(const observation& x) {
  const auto* reported = x.metadata.if_contains("reported");
  return reported != nullptr && reported->is_bool() && reported->get_bool() && is_from_tool(x);
}

} // namespace scratchpage
