#pragma once

#include <cstddef>

#include "scratchpage/actors/policies/decisions.hpp"

namespace scratchpage {

/// Whether the call at `failed` needs no more work: a later call of the same tool succeeded, or one
/// that stood in for it, or any that gave the answer where only an answer was asked for; or what it
/// was to do was done before ("File exists").
bool is_made_up_for(const evaluation_input& turn, size_t failed);

} // namespace scratchpage
