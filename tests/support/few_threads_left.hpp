#pragma once

#include <cstdint>

#include "scratchpage/messages/threads.hpp"

namespace scratchpage::test {

/// During its lifetime the system seems to allow only the given number of further threads.
struct few_threads_left {
  explicit few_threads_left(int64_t count) { pretend_threads_left(count); }
  few_threads_left(const few_threads_left&) = delete;
  few_threads_left& operator=(const few_threads_left&) = delete;
  ~few_threads_left() { pretend_threads_left(pretended_threads::none); }
};

} // namespace scratchpage::test
