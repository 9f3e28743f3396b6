#pragma once

#include <string>
#include <vector>

#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// The inputs that the manifest's JSON Schema lists as `required` and the call
/// lacks, in the schema's order. Absent, null and blank inputs are lacking.
std::vector<std::string> missing_fields(const planned_call& call, const tool_manifest& manifest);

/// Whether a call cannot be made as it stands (contract 7, Clarifier, Executor).
bool missing_inputs(const planned_call& call, const tool_manifest& manifest);

} // namespace scratchpage
