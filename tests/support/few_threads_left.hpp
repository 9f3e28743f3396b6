#pragma once

#include <cstdint>

#include "scratchpage/messages/start_thread.hpp"

namespace scratchpage::test {

/// While it lives, it is as if the system gave no more than so many threads.
struct few_threads_left {
  explicit few_threads_left(int64_t count) { pretend_threads_left(count); }
  few_threads_left(const few_threads_left&) = delete;
  few_threads_left& operator=(const few_threads_left&) = delete;
  ~few_threads_left() { pretend_threads_left(pretended_threads::none); }
};

} // namespace scratchpage::test
