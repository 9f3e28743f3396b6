#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "scratchpage/messages/trace.hpp"

namespace scratchpage {

/// Where trace entries go. Called from any thread; never blocks for long and
/// never fails towards the caller.
class trace_sink {
public:
  virtual ~trace_sink() = default;
  virtual void write(trace_entry entry) = 0;
};

/// Keeps entries in memory, in the order in which they were written.
class memory_trace : public trace_sink {
public:
  void write(trace_entry entry) override;

  /// A copy of what is there.
  std::vector<trace_entry> entries() const;

  /// What is there, which is then forgotten.
  std::vector<trace_entry> take();

  size_t size() const;

private:
  mutable std::mutex mutex_;
  std::vector<trace_entry> entries_;
};

} // namespace scratchpage
