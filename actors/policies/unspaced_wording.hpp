#pragma once

#include <string_view>

#include "scratchpage/actors/policies/fact_wording.hpp"

/// How clauses in scripts without spaces are retold (`retell`).

namespace scratchpage {

retold chinese(std::string_view clause);
retold japanese(std::string_view clause);

} // namespace scratchpage
