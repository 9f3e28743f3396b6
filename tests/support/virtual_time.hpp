#pragma once

#include "scratchpage/runtime/testing/virtual_time.hpp"

/// The tests of this project use the same virtual time that the library offers to embedders.

namespace scratchpage::test {

using testing::pending_answer;
using testing::virtual_time;

} // namespace scratchpage::test
