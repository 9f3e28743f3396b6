#pragma once

#include <memory>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/trace/kept_trace.hpp"

namespace scratchpage {

/// Makes the operation `turn_trace` for the OPERATIONS of an agent. It waits for a disk
/// or a server: spawn it detached.
class trace_reader_state {
public:
  using handle = operations_actor;
  static constexpr const char* name = "trace_reader";

  trace_reader_state(handle::pointer, std::shared_ptr<kept_trace> trace)
    : trace_{std::move(trace)} {}

  handle::behavior_type make_behavior();

private:
  std::shared_ptr<kept_trace> trace_;
};

} // namespace scratchpage
