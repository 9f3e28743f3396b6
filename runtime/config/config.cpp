#include "scratchpage/runtime/config/config.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <boost/json/stream_parser.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"

namespace scratchpage {

namespace embedded {

extern const std::string_view defaults; // cmake/embed.cmake makes it

} // namespace embedded

namespace {

constexpr size_t max_bytes = 4u << 20;
constexpr size_t max_depth = 32;

/// "line 3, column 7"
std::string position(std::string_view text, size_t offset) {
  auto before = text.substr(0, offset);
  auto line = std::count(before.begin(), before.end(), '\n') + 1;
  auto start = before.rfind('\n');
  auto column = start == std::string_view::npos ? before.size() + 1 : before.size() - start;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

caf::expected<json::value> parse_with_comments(std::string_view text) {
  if (text.size() > max_bytes)
    return fail(errc::invalid_request, "",
      "expected a configuration of at most " + std::to_string(max_bytes) + " bytes");
  json::parse_options options;
  options.max_depth = max_depth;
  options.allow_comments = true;
  options.allow_trailing_commas = true;
  json::stream_parser parser{json::storage_ptr{}, options};
  boost::json::error_code ec;
  auto used = parser.write_some(text.data(), text.size(), ec);
  auto more = !ec && text.find_first_not_of(" \t\r\n", used) != std::string_view::npos;
  if (!ec && !more)
    parser.finish(ec);
  if (!ec && !more)
    return parser.release();
  return fail(errc::invalid_request, "",
    "expected valid JSON, but at " + position(text, used) + ": "
      + (more ? "more follows" : ec.message()));
}

void merge(json::value& into, const json::value& over) {
  if (!into.is_object() || !over.is_object()) {
    into = over;
    return;
  }
  auto& object = into.get_object();
  for (const auto& [key, value] : over.get_object()) {
    if (value.is_null())
      object.erase(key);
    else
      merge(object[key], value);
  }
}

caf::expected<config> read(const json::value& text) {
  auto result = from_json<config>(text);
  if (!result)
    return result;
  if (auto problem = validate(*result))
    return problem;
  return result;
}

/// The built-in configuration is valid, as a test checks. Otherwise the process is aborted.
template <class T>
T built_in(caf::expected<T> x) {
  if (!x) {
    std::cerr << "built-in configuration: " << describe(x.error()) << '\n';
    std::abort();
  }
  return std::move(*x);
}

const json::value& default_values() {
  static const auto values = built_in(parse_with_comments(embedded::defaults));
  return values;
}

} // namespace

caf::error validate(const config& x) {
  return config_check{""}
    .also(validate_limits(x))
    .also(validate(x.urgency, "urgency"))
    .also(validate(x.ambiguity, "ambiguity"))
    .also(validate(x.consent, "consent"))
    .also(validate(x.execution, "execution"))
    .also(validate(x.protected_data, "protected_data"))
    .also(validate(x.recovery, "recovery"))
    .also(validate(x.evaluation, "evaluation"))
    .also(validate(x.reflection, "reflection"))
    .also(validate(x.latency, "latency"))
    .also(validate(x.promotion, "promotion"))
    .also(validate(x.goal_progress, "goal_progress"))
    .also(validate(x.mandates, "mandates"))
    .also(validate(x.prompt))
    .also(validate(x.conversation))
    .also(validate(x.scratchbook))
    .also(validate(x.privacy, "privacy"))
    .also(validate(x.housekeeping, "housekeeping"))
    .also(validate(x.trace, "trace"))
    .also(validate(x.telemetry, "telemetry"))
    .also(models::validate(x.models, "models"))
    .also(validate(x.http))
    .also(mcp_client::validate(x.mcp_servers, "mcpServers"))
    .error();
}

trace_config trace_as_private(const config& x) {
  auto result = x.trace;
  if (!privacy_policy{x.privacy}.masks_on_export())
    result.days = std::min(result.days, x.privacy.archive_retention_days);
  return result;
}

const config& default_config() {
  static const auto values = built_in(read(default_values()));
  return values;
}

caf::expected<config> load_config(std::string_view user_json_text) {
  auto over = parse_with_comments(user_json_text);
  if (!over)
    return over.error();
  if (!over->is_object())
    return fail(errc::invalid_request, "", "expected an object of sections");
  return load_config(std::vector<json::object>{std::move(over->get_object())});
}

caf::expected<config_ptr> read_config(std::string_view user_json_text) {
  auto result = load_config(user_json_text);
  if (!result)
    return result.error();
  return std::make_shared<const config>(std::move(*result));
}

caf::expected<config> load_config(const std::vector<json::object>& layers) {
  auto values = default_values();
  for (const auto& layer : layers)
    merge(values, json::value(layer));
  return read(values);
}

std::string dump_config(const config& x) {
  return to_pretty_text(to_json(x)) + "\n";
}

std::string_view default_config_text() {
  return embedded::defaults;
}

} // namespace scratchpage
