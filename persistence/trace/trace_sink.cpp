#include "scratchpage/persistence/trace/trace_sink.hpp"

#include <utility>

#include "scratchpage/persistence/trace/trace_text.hpp"

namespace scratchpage {

void memory_trace::write(trace_entry entry) {
  complete(entry);
  std::lock_guard guard{mutex_};
  entries_.push_back(std::move(entry));
}

std::vector<trace_entry> memory_trace::entries() const {
  std::lock_guard guard{mutex_};
  return entries_;
}

std::vector<trace_entry> memory_trace::take() {
  std::lock_guard guard{mutex_};
  return std::exchange(entries_, {});
}

size_t memory_trace::size() const {
  std::lock_guard guard{mutex_};
  return entries_.size();
}

} // namespace scratchpage
