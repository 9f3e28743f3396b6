#include "scratchpage/runtime/telemetry/telemetry_config.hpp"

#include <algorithm>

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/net/http_client/address.hpp"

namespace scratchpage::telemetry {

caf::error validate(const telemetry_config& x, std::string_view path) {
  constexpr double max_per_second = 1'000'000;
  return config_check{path}
    .require(x.otlp_endpoint.empty() || http_client::read_address(x.otlp_endpoint), "otlp_endpoint",
      http_client::address_expectation)
    .require(x.max_waiting > 0, "max_waiting", "at least one entry")
    .range("in_turns_per_second", x.in_turns_per_second, 0, max_per_second)
    .range("outside_turns_per_second", x.outside_turns_per_second, 0, max_per_second)
    .error();
}

caf::error take_variables(telemetry_config& x, const variable_reader& variables) {
  constexpr auto endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";
  constexpr auto headers = "OTEL_EXPORTER_OTLP_HEADERS";
  if (auto value = variables(endpoint); value && x.otlp_endpoint.empty()) {
    if (!value->empty() && !http_client::read_address(*value))
      return fail(errc::invalid_request, endpoint,
        "expected " + std::string{http_client::address_expectation});
    x.otlp_endpoint = *value;
  }
  if (auto value = variables("OTEL_SERVICE_NAME"); value && x.service_name.empty())
    x.service_name = *value;
  auto value = variables(headers);
  if (!value || !x.otlp_headers.empty())
    return {};
  for (std::string_view rest{*value}; !rest.empty();) {
    auto one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    auto equals = one.find('=');
    if (equals == 0 || equals == std::string_view::npos) // the value may be a secret: not repeated
      return fail(errc::invalid_request, headers, "expected NAME=VALUE, separated by commas");
    x.otlp_headers.emplace(one.substr(0, equals), one.substr(equals + 1));
  }
  return {};
}

} // namespace scratchpage::telemetry
