#include "scratchpage/runtime/telemetry/otlp_json.hpp"

#include <chrono>
#include <string_view>
#include <utility>
#include <variant>

#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/version.hpp"

/// Text at once: a span has some ten attributes, and each would be three JSON values.

namespace scratchpage::telemetry {

namespace {

// Numbers of the schema's enumerations.
constexpr std::string_view internal_kind = "1";
constexpr std::string_view server_kind = "2";
constexpr std::string_view error_status = "2";

/// 64-bit integers are strings in the JSON of protocol buffers.
void append_integer(text_end& out, int64_t x) {
  out.add('"');
  append_json(out, x);
  out.add('"');
}

void append_value(text_end& out, const span::value& x) {
  struct writer {
    text_end& out;

    void operator()(const std::string& text) const {
      out.add(R"({"stringValue":)");
      append_quoted(out, text);
    }
    void operator()(int64_t number) const {
      out.add(R"({"intValue":)");
      append_integer(out, number);
    }
    void operator()(double number) const {
      out.add(R"({"doubleValue":)");
      append_json(out, number);
    }
    void operator()(bool truth) const {
      out.add(R"({"boolValue":)");
      append_json(out, truth);
    }
  };
  std::visit(writer{out}, x);
  out.add('}');
}

void append_attribute(text_end& out, std::string_view name, const span::value& value) {
  out.add(R"({"key":)");
  append_quoted(out, name);
  out.add(R"(,"value":)");
  append_value(out, value);
  out.add('}');
}

/// `,"name":"text"`.
void append_text_member(text_end& out, std::string_view name, std::string_view text) {
  detail::append_key(out, ',', name);
  append_quoted(out, text);
}

void append_time(text_end& out, std::string_view name, timestamp x) {
  detail::append_key(out, ',', name);
  append_integer(
    out, std::chrono::duration_cast<std::chrono::nanoseconds>(x.time_since_epoch()).count());
}

void append_span(text_end& out, const span& x) {
  out.add(R"({"kind":)");
  out.add(x.is_server ? server_kind : internal_kind);
  append_text_member(out, "traceId", x.trace_id);
  append_text_member(out, "spanId", x.span_id);
  if (!x.parent_id.empty())
    append_text_member(out, "parentSpanId", x.parent_id);
  append_text_member(out, "name", x.name);
  append_time(out, "startTimeUnixNano", x.began);
  append_time(out, "endTimeUnixNano", x.ended);
  out.add(R"(,"attributes":[)");
  auto is_first = true;
  for (const auto& [name, value] : x.attributes) {
    if (!std::exchange(is_first, false))
      out.add(',');
    append_attribute(out, name, value);
  }
  out.add(']');
  if (!x.error.empty()) {
    out.add(R"(,"status":{"code":)");
    out.add(error_status);
    append_text_member(out, "message", x.error);
    out.add('}');
  }
  out.add('}');
}

void append_resource(text_end& out, const std::string& service_name) {
  append_attribute(out, "service.name", service_name);
  out.add(',');
  append_attribute(out, "service.version", std::string{version});
  out.add(',');
  append_attribute(out, "telemetry.sdk.language", std::string{"cpp"});
  out.add(',');
  append_attribute(out, "telemetry.sdk.name", std::string{"scratchpage"});
}

void append_request(text_end& out, std::span<const span> spans, const std::string& service_name) {
  out.add(R"({"resourceSpans":[{"resource":{"attributes":[)");
  append_resource(out, service_name);
  out.add(R"(]},"scopeSpans":[{"scope":{"name":"scratchpage")");
  append_text_member(out, "version", version);
  out.add(R"(},"spans":[)");
  auto is_first = true;
  for (const auto& x : spans) {
    if (!std::exchange(is_first, false))
      out.add(',');
    append_span(out, x);
  }
  out.add("]}]}]}");
}

} // namespace

std::string to_otlp_json(std::span<const span> spans, const std::string& service_name) {
  std::string result;
  {
    text_end out{result};
    append_request(out, spans, service_name);
  }
  return result;
}

} // namespace scratchpage::telemetry
