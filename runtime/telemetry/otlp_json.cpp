#include "scratchpage/runtime/telemetry/otlp_json.hpp"

#include "scratchpage/messages/json.hpp"
#include "scratchpage/messages/json_text.hpp"
#include "scratchpage/messages/json_view.hpp"
#include "scratchpage/runtime/version.hpp"

namespace scratchpage::telemetry {

namespace {

// Numbers of the schema's enumerations.
constexpr int internal_kind = 1;
constexpr int server_kind = 2;
constexpr int error_status = 2;

json::object any_value(const span::value& x) {
  struct writer {
    json::object operator()(const std::string& text) const { return {{"stringValue", text}}; }
    json::object operator()(int64_t number) const { return {{"intValue", std::to_string(number)}}; }
    json::object operator()(double number) const { return {{"doubleValue", number}}; }
    json::object operator()(bool truth) const { return {{"boolValue", truth}}; }
  };
  return std::visit(writer{}, x);
}

json::object attribute(std::string_view name, const span::value& value) {
  return {{"key", view(name)}, {"value", any_value(value)}};
}

std::string nanoseconds(timestamp x) {
  return std::to_string(
    std::chrono::duration_cast<std::chrono::nanoseconds>(x.time_since_epoch()).count());
}

json::object to_json(const span& x) {
  json::array attributes;
  for (const auto& [name, value] : x.attributes)
    attributes.push_back(attribute(name, value));
  json::object result{{"traceId", x.trace_id}, {"spanId", x.span_id}, {"name", x.name},
    {"kind", x.is_server ? server_kind : internal_kind},
    {"startTimeUnixNano", nanoseconds(x.began)}, {"endTimeUnixNano", nanoseconds(x.ended)},
    {"attributes", std::move(attributes)}};
  if (!x.parent_id.empty())
    result["parentSpanId"] = x.parent_id;
  if (!x.error.empty())
    result["status"] = json::object{{"code", error_status}, {"message", x.error}};
  return result;
}

} // namespace

std::string to_otlp_json(std::span<const span> spans, const std::string& service_name) {
  json::array all;
  for (const auto& x : spans)
    all.push_back(to_json(x));
  json::array resource{attribute("service.name", service_name),
    attribute("service.version", std::string{version}),
    attribute("telemetry.sdk.language", std::string{"cpp"}),
    attribute("telemetry.sdk.name", std::string{"scratchpage"})};
  json::object scope_spans{
    {"scope", {{"name", "scratchpage"}, {"version", view(version)}}}, {"spans", std::move(all)}};
  json::object resource_spans{{"resource", {{"attributes", std::move(resource)}}},
    {"scopeSpans", json::array{std::move(scope_spans)}}};
  json::object request{{"resourceSpans", json::array{std::move(resource_spans)}}};
  return to_text(json::value(std::move(request)));
}

} // namespace scratchpage::telemetry
