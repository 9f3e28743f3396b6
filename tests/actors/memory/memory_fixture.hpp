#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

namespace scratchpage::test {

/// A memory actor of one agent on virtual time, with the trace in memory.
struct memory_fixture : virtual_time {
  /// The trace entries of one operation, each as a line "component status".
  std::string traced(std::string_view operation) const {
    std::string result;
    for (const auto& entry : trace->entries())
      if (entry.operation == operation)
        result += entry.component + " " + entry.status + "\n";
    return result;
  }

  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
  agent_context agent{"agent", clock, trace};
};

} // namespace scratchpage::test
