#pragma once

#include <string_view>

#include "scratchpage/actors/policies/fact_wording.hpp"

namespace scratchpage {

/// How an English clause is retold (`retell`).
retold english(std::string_view clause, std::string_view said_before);

} // namespace scratchpage
