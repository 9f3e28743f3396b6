#pragma once

#include "scratchpage/runtime/telemetry/metrics_text.hpp"

namespace scratchpage::telemetry {

/// What the operating system tells of this process, under the names that clients of
/// Prometheus share: CPU time, memory, open files. What cannot be read is left out.
void write_process_metrics(metrics_text& to);

} // namespace scratchpage::telemetry
