#pragma once

#include <span>
#include <string>

#include "scratchpage/runtime/telemetry/span.hpp"

namespace scratchpage::telemetry {

/// An export request of OTLP in JSON (opentelemetry-proto 1.x, `ExportTraceServiceRequest`):
/// ids in hexadecimal, 64-bit numbers as texts.
std::string to_otlp_json(std::span<const span> spans, const std::string& service_name);

} // namespace scratchpage::telemetry
