#include "scratchpage/actors/page/index/deadline_queue.hpp"

#include <algorithm>

namespace scratchpage {

namespace {

// An object and not a function, so that it is inlined into the heap's loops.
constexpr auto is_later = [](const deadline_queue::entry& a, const deadline_queue::entry& b) {
  return a.deadline != b.deadline ? a.deadline > b.deadline : a.number > b.number;
};

} // namespace

void deadline_queue::push(timestamp deadline, uint64_t number) {
  heap_.push_back({deadline, number});
  std::push_heap(heap_.begin(), heap_.end(), is_later);
}

void deadline_queue::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  heap_.pop_back();
}

void deadline_queue::rebuild() {
  heap_.shrink_to_fit();
  std::make_heap(heap_.begin(), heap_.end(), is_later);
  stale_ = 0;
}

} // namespace scratchpage
