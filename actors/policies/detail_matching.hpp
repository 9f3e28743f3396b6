#pragma once

#include <string>
#include <vector>

#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/actors/policies/request_matching.hpp"

namespace scratchpage {

/// What the outputs of calls that succeeded contradict of a request, for people: "rooms is 1, not
/// 2", "printed has 3 of 4", "target is es, not fr", "field is phone". "" if nothing. Amounts are
/// compared for deeds alone, and those of several calls are added.
std::string contradiction(const asked_thing& thing, const std::vector<call_record>& calls);

} // namespace scratchpage
