#pragma once

#include "scratchpage/actors/tools/unique_fd.hpp"

namespace scratchpage {

/// Empty ends if the process has no descriptors left; `errno` tells.
pipe_ends make_pipe();

bool has_both_ends(const pipe_ends& x);

/// Reading and writing return at once from now on.
void never_block(const unique_fd& fd);

} // namespace scratchpage
