#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/fields.hpp"

namespace scratchpage::telemetry {

/// Where spans are sent, and at which rate. OpenTelemetry's variables of the environment
/// (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME) apply to members
/// that are not set.
struct telemetry_config {
  std::string otlp_endpoint; ///< such as http://127.0.0.1:4318; "": nothing is exported
  std::map<std::string, std::string> otlp_headers;
  std::string service_name;              ///< "": `scratchpage`
  uint64_t max_waiting = 2'048;          ///< entries; further ones are dropped and counted
  double in_turns_per_second = 2'000;    ///< entries of turns that are exported, on average
  double outside_turns_per_second = 100; ///< likewise, entries outside turns

  static constexpr auto fields(auto all) {
    using self = telemetry_config;
    return all(optional("otlp_endpoint", &self::otlp_endpoint),
      optional("otlp_headers", &self::otlp_headers), optional("service_name", &self::service_name),
      optional("max_waiting", &self::max_waiting),
      optional("in_turns_per_second", &self::in_turns_per_second),
      optional("outside_turns_per_second", &self::outside_turns_per_second));
  }
};

caf::error validate(const telemetry_config& x, std::string_view path);

/// The value of a variable of the environment; nothing if it is not set.
using variable_reader = std::function<std::optional<std::string>(const std::string& name)>;

/// Sets the members that are not set from the variables. Errors name the variable.
caf::error take_variables(telemetry_config& x, const variable_reader& variables);

} // namespace scratchpage::telemetry
