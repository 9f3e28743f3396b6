#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "scratchpage/messages/trace.hpp"

namespace scratchpage {

class pii_masker;

/// Where trace entries go. Called from any thread; never blocks for long and
/// never fails towards the caller.
class trace_sink {
public:
  virtual ~trace_sink() = default;
  virtual void write(trace_entry entry) = 0;

  /// Whether it masks personal data with that in all that comes, where nobody waits for
  /// it; if not, whoever writes has to.
  virtual bool mask_with(const std::shared_ptr<const pii_masker>&) { return false; }
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
